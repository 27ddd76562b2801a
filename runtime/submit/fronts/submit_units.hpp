// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "memory/deferred_units.hpp"
#include "submit/fronts/submit_front.hpp"

namespace frond::detail {

/// Submits the units of a factorization (subtrees and fronts on tiles) and keeps what their tasks need
/// until all have ended.
///
/// Admission: the bytes of a unit are reserved, strictly in postorder, and all its tasks are submitted at
/// once: they follow from the analysis alone. The thread that called does that; tasks never wait for it.
/// Bytes of columns set back are counted by the tasks that allocate them (UnitAccount). A task that cannot
/// have them is deferred: nothing more is admitted, and it is tried again, that of the first unit in
/// postorder first, when bytes were given back. Where nothing runs that could give any, the first one is
/// tried for the last time, by what it takes in fact, and fails.
///
/// Where other ranks have some of the units (context.share), those of this rank are submitted with their messages, in the
/// same order; nothing is deferred then. Every message of the plan is posted in the end, also after an error: units that are
/// not submitted send nothing and discard what comes (docs/decisions/0036).
template <class T>
class UnitSubmission {
public:
    UnitSubmission(FactorizationContext<T>& context, const Analysis& analysis);

    /// Returns when all tasks are submitted or the job was stopped.
    void submit_all();

    /// Returns when all tasks have ended; deferred ones are tried again. After submit_all, also when that
    /// threw. Errors go to the job.
    void finish() noexcept;

    /// When all tasks have ended.
    void collect(FactorReport& report, PivotReport& pivots) const;

private:
    /// A unit is reserved and submitted, or why not.
    enum class Admission : std::uint8_t { done, many_tasks, no_memory };

    void make_room();
    Admission admit_next();
    void submit(index_t front);
    Admission admit_made(index_t front);
    void make_account(FrontRun<T>& run);
    void drain() noexcept;
    /// No part of the unit is of this rank.
    bool is_received(index_t front) const { return context_.share != nullptr && !context_.share->has_part(front); }
    count_t received_bytes(index_t front) const;
    FrontRun<T>& child_run(index_t child);
    index_t uses_of_contribution(index_t front) const;
    void start_run(index_t front, UnitBytes bytes);
    count_t fewer_pending() const { return most_pending_tasks_ - most_pending_tasks_ / 4; }
    /// Sends wait for units of other ranks, which may wait for units that this one has not submitted: they do not count
    /// among the tasks that may be pending.
    count_t waiting_sends() const { return waiting_sends_.load(std::memory_order_relaxed); }
    count_t pending_tasks() const { return context_.job->pending() - waiting_sends(); }
    bool nothing_runs(count_t pending);
    count_t tasks_of(const FrontRun<T>& run, count_t first) const;
    bool try_deferred(bool idle);
    void try_again(index_t front, bool last);
    void run_again(UnitAccount& account);
    void add_pivots(const FrontRun<T>& run, PivotReport& pivots) const;
    UnitBytes predicted_bytes(index_t front) const;
    void refuse_next() const;
    FrontRun<T>& run_of(index_t front) { return *runs_[static_cast<std::size_t>(front)]; }

    FactorizationContext<T>& context_;
    const Analysis& analysis_;
    count_t most_pending_tasks_;
    bool threshold_;
    std::vector<std::unique_ptr<FrontRun<T>>> runs_;  // [fronts] of units that were admitted
    std::vector<index_t> units_;  // their fronts (a subtree's root), postorder
    std::size_t admitted_ = 0;
    std::atomic<count_t> waiting_sends_{0};
    DeferredUnits newly_deferred_;
    std::vector<index_t> deferred_;  // postorder
    std::vector<count_t> counted_;  // [fronts] the last count of blocked tasks that had the unit in it
    count_t counts_ = 0;
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "submit/submit_front.hpp"

namespace frond::detail {

/// Submits the units of a factorization (subtrees and fronts on tiles) and keeps what their tasks need
/// until all have ended.
///
/// Admission: the bytes of a unit are reserved, strictly in postorder. Activation: its tasks are
/// submitted, at once with static pivoting; with threshold pivoting when the pivots of all children are
/// known, since the columns they delay are its own then (docs/decisions/0007). The thread that
/// called does both; tasks tell it and never wait. Bytes of columns set back are counted by the tasks
/// that allocate them (UnitAccount). A unit that cannot have them is put aside: nothing more is admitted,
/// and it is tried again, the first in postorder first, when bytes were given back. Where nothing runs
/// that could give any, the first one is tried for the last time, by what it takes in fact, and fails.
template <class T>
class UnitSubmission {
public:
    UnitSubmission(FactorizationContext<T>& context, const Analysis& analysis);

    /// Returns when all tasks are submitted or the job was stopped.
    void submit_all();

    /// Returns when all tasks have ended; those put aside are tried again. After submit_all, also when
    /// that threw. Errors go to the job.
    void finish() noexcept;

    /// When all tasks have ended.
    void collect(FactorReport& report, PivotReport& pivots) const;

private:
    void make_room();
    bool let_one_go();
    bool admit_next();
    bool hear_news();
    bool nothing_runs(count_t pending) const;
    bool try_refused(bool idle);
    void try_again(index_t front, bool last);
    void run_again(UnitAccount& account);
    void activate_if_ready(index_t front);
    void activate(FrontRun<T>& run);
    void submit(FrontRun<T>& run);
    void pivots_are_known(index_t front);
    UnitBytes predicted_bytes(index_t front) const;
    void refuse_next() const;
    FrontRun<T>& run_of(index_t front) { return *runs_[static_cast<std::size_t>(front)]; }

    FactorizationContext<T>& context_;
    const Analysis& analysis_;
    count_t most_pending_tasks_;
    bool threshold_;
    std::vector<std::unique_ptr<FrontRun<T>>> runs_;  // [fronts] of units that were admitted
    std::vector<index_t> units_;  // their fronts (a subtree's root), postorder
    std::vector<index_t> children_left_;  // [fronts] units below whose pivots are not known
    std::size_t admitted_ = 0, activated_ = 0;
    UnitNews news_;
    std::vector<index_t> told_;
    std::vector<index_t> refused_;  // fronts put aside
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// How submission goes on where tasks could not have memory: which of them are tried again, and when nothing else runs.
#include <algorithm>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "engine/insert_task.hpp"
#include "submit/fronts/submit_threshold.hpp"
#include "submit/fronts/submit_units.hpp"

namespace frond::detail {

/// Waits in the midst of submitting a front, whose tasks may be many more than may wait. What waits has its
/// predecessors before it, so it ends without this thread, but for deferred tasks and those behind them: these go on
/// where there is memory. Where there is none and nothing runs that could give any, waiting for the rest of the front
/// would not help: all its tasks to come are behind a deferred one, or need those that are.
template <class T>
void UnitSubmission<T>::make_room() {
    if (pending_tasks() < most_pending_tasks_) return;
    while (!context_.job->stopped()) {
        const Job::Changes seen = context_.job->changes();
        const count_t pending = context_.job->pending();
        newly_deferred_.take(deferred_);
        if (pending - waiting_sends() <= fewer_pending())
            return;  // fewer than the bound: not to be woken for each task
        if (try_deferred(nothing_runs(pending))) continue;
        context_.job->wait_for_change(seen, fewer_pending() + waiting_sends(), !deferred_.empty());
    }
}

/// Whether the `pending` tasks, counted before the units that are deferred, are all behind deferred ones. Those are the
/// tasks that a deferred unit submitted after the deferred one, as each panel needs the one before, and all tasks of
/// the fronts above it, which begin when the failed columns of all children are known.
template <class T>
bool UnitSubmission<T>::nothing_runs(count_t pending) {
    if (pending == 0 || deferred_.empty()) return pending == 0;
    ++counts_;
    for (const index_t deferred : deferred_) {
        const FrontRun<T>& run = run_of(deferred);
        pending -= tasks_of(run, run.account->order());
        index_t above = analysis_.tree.fronts[at(deferred)].parent;
        while (above >= 0 && runs_[at(above)] != nullptr && counted_[at(above)] != counts_) {
            counted_[at(above)] = counts_;
            pending -= tasks_of(run_of(above), run_of(above).first_order);
            above = analysis_.tree.fronts[at(above)].parent;
        }
    }
    return pending == 0;
}

/// The number of tasks that were submitted so far, from the job's task `first` on.
template <class T>
count_t UnitSubmission<T>::tasks_of(const FrontRun<T>& run, count_t first) const {
    return (run.end_order >= 0 ? run.end_order : context_.job->submitted()) - first;
}

/// Tries one unit again that has room now; none has and nothing runs: the first one, for the last time.
template <class T>
bool UnitSubmission<T>::try_deferred(bool idle) {
    const bool stopped = context_.job->stopped();  // then its tasks return at once
    for (const index_t front : deferred_)
        if (stopped || context_.budget->has_room(run_of(front).account->needed_bytes())) {
            try_again(front, false);
            return true;
        }
    if (!idle || deferred_.empty()) return false;
    try_again(deferred_.front(), true);
    return true;
}

template <class T>
void UnitSubmission<T>::try_again(index_t front, bool last) {
    deferred_.erase(std::find(deferred_.begin(), deferred_.end(), front));
    UnitAccount& account = *run_of(front).account;
    account.set_last_try(last);
    run_again(account);
}

/// Where not even a task can be had, the job fails and the unit is let go, whose next tasks return at once.
template <class T>
void UnitSubmission<T>::run_again(UnitAccount& account) {
    try {
        submit_again(account);
    } catch (...) {
        context_.job->fail(std::current_exception());
        account.ended_again();
    }
}

/// Nothing runs that could release bytes, and the next unit does not fit.
template <class T>
void UnitSubmission<T>::refuse_next() const {
    if (context_.job->stopped()) return;
    const index_t front = units_[admitted_];
    const count_t bytes = predicted_bytes(front).sum() + received_bytes(front);
    refuse_bytes(*context_.budget, {.number = front, .order = analysis_.tree.fronts[at(front)].nfront}, bytes,
                 context_.budget->used_bytes() + bytes);
}

#define FROND_INSTANTIATE(T)                                \
    template void UnitSubmission<T>::make_room();           \
    template bool UnitSubmission<T>::nothing_runs(count_t); \
    template bool UnitSubmission<T>::try_deferred(bool);    \
    template void UnitSubmission<T>::refuse_next() const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "submit/submit_units.hpp"

#include <algorithm>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "submit/insert_task.hpp"
#include "submit/submit_threshold.hpp"

namespace frond::detail {
namespace {

bool is_unit(const Mapping& mapping, index_t front) {
    const index_t s = mapping.subtree_of_front[at(front)];
    return s < 0 || mapping.subtrees[at(s)].root_front == front;
}

}  // namespace

template <class T>
UnitSubmission<T>::UnitSubmission(FactorizationContext<T>& context, const Analysis& analysis)
    : context_(context),
      analysis_(analysis),
      most_pending_tasks_(context.most_pending_tasks),
      threshold_(context.rule.threshold > 0),
      runs_(analysis.tree.fronts.size()),
      children_left_(analysis.tree.fronts.size(), 0),
      news_(analysis.tree.fronts.size(), *context.budget) {
    for (index_t f = 0; f < analysis.tree.front_count(); ++f) {
        if (!is_unit(analysis.mapping, f)) continue;
        units_.push_back(f);
        const index_t parent = analysis.tree.fronts[at(f)].parent;
        if (parent >= 0) ++children_left_[at(parent)];
    }
    // News is heard and units are let go also when no more memory can be had.
    told_.reserve(units_.size());
    refused_.reserve(units_.size());
    context_.make_room = [this] { make_room(); };
}

template <class T>
void UnitSubmission<T>::submit_all() {
    while (activated_ < units_.size() && !context_.job->stopped()) {
        const std::uint64_t seen = context_.budget->changes();
        const count_t pending = context_.job->pending();  // asked first: then all news has been told
        const bool heard = hear_news();
        const bool idle = nothing_runs(pending);
        if (try_refused(idle) || (refused_.empty() && admit_next()) || heard) continue;
        if (idle) refuse_next();
        context_.budget->wait_for_change(seen, std::chrono::milliseconds(5));
    }
}

template <class T>
void UnitSubmission<T>::finish() noexcept {
    do {
        try {
            const count_t pending = context_.job->pending();
            hear_news();
            while (try_refused(nothing_runs(pending))) {
            }
        } catch (...) {
            context_.job->fail(std::current_exception());
        }
    } while (!context_.job->wait_for(std::chrono::milliseconds(5)));
}

/// In the midst of submitting a front, whose tasks may be many more than may wait. What waits has its predecessors
/// before it, so it ends without this thread, but for tasks put aside and those behind them: these are let go where
/// there is memory. Where there is none and nothing runs that could give any, submission goes on beyond the bound, to
/// where it is decided who is tried for the last time.
template <class T>
void UnitSubmission<T>::make_room() {
    if (context_.job->pending() < most_pending_tasks_) return;
    const count_t few = most_pending_tasks_ - most_pending_tasks_ / 4;  // not to be woken for each task
    while (!context_.job->stopped()) {
        const count_t pending = context_.job->pending();  // asked first, as in submit_all
        news_.take_refused(refused_);
        std::sort(refused_.begin(), refused_.end());
        if (pending <= few) return;
        if (let_one_go()) continue;
        if (nothing_runs(pending)) return;
        context_.job->wait_for(std::chrono::milliseconds(5), few);
    }
}

/// One task put aside that has room now. Fronts that are not activated yet have none.
template <class T>
bool UnitSubmission<T>::let_one_go() {
    const auto fits = [this](index_t front) {
        const UnitAccount& account = *run_of(front).account;
        return account.task() != nullptr && context_.budget->has_room(account.needed_bytes());
    };
    const auto first = std::find_if(refused_.begin(), refused_.end(), fits);
    if (first == refused_.end()) return false;
    try_again(*first, false);
    return true;
}

/// `pending` was asked before the news: it is all that waits behind tasks put aside. Those are the tasks
/// that their front submitted after them, as each panel needs the one before; nobody else waits for the
/// front before its pivots are known.
template <class T>
bool UnitSubmission<T>::nothing_runs(count_t pending) const {
    for (const index_t front : refused_) {
        const FrontRun<T>& run = *runs_[at(front)];
        const count_t end = run.end_order > 0 ? run.end_order : context_.job->submitted();  // it is being submitted
        if (run.account->task() != nullptr) pending -= end - run.account->order();
    }
    return pending == 0;
}

/// Tries one unit again that has room now; none has and nothing runs: the first one, for the last time.
template <class T>
bool UnitSubmission<T>::try_refused(bool idle) {
    const bool stopped = context_.job->stopped();  // then its tasks return at once
    for (const index_t front : refused_)
        if (stopped || context_.budget->has_room(run_of(front).account->needed_bytes())) {
            try_again(front, false);
            return true;
        }
    if (!idle || refused_.empty()) return false;
    try_again(refused_.front(), true);
    return true;
}

template <class T>
void UnitSubmission<T>::try_again(index_t front, bool last) {
    FrontRun<T>& run = run_of(front);
    const bool activated = run.account->task() != nullptr;  // asked first: it may end soon
    run.account->set_last_try(last);
    if (activated) run_again(*run.account);
    refused_.erase(std::find(refused_.begin(), refused_.end(), front));
    if (!activated && !context_.job->stopped()) activate(run);
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

template <class T>
UnitBytes UnitSubmission<T>::predicted_bytes(index_t front) const {
    const index_t s = analysis_.mapping.subtree_of_front[at(front)];
    return s >= 0 ? subtree_bytes<T>(analysis_, analysis_.mapping.subtrees[at(s)]) : front_bytes<T>(analysis_, front);
}

template <class T>
bool UnitSubmission<T>::admit_next() {
    if (admitted_ == units_.size() || context_.job->pending() > most_pending_tasks_) return false;
    const index_t f = units_[admitted_];
    const UnitBytes bytes = predicted_bytes(f);
    if (!context_.budget->try_reserve(bytes.sum())) return false;
    runs_[at(f)] = std::make_unique<FrontRun<T>>();
    FrontRun<T>& run = *runs_[at(f)];
    run.front = f;
    run.budget = context_.budget;
    run.bytes = bytes;
    if (threshold_) {
        run.news = &news_;
        const bool subtree = analysis_.mapping.subtree_of_front[at(f)] >= 0;
        run.account =
            std::make_unique<UnitAccount>(*context_.budget, news_, f, analysis_.tree.fronts[at(f)].nfront, subtree);
        run.account->set_last_try(context_.job->runs_at_once());  // there is nothing to wait for
    }
    ++admitted_;
    activate_if_ready(f);
    return true;
}

template <class T>
void UnitSubmission<T>::activate_if_ready(index_t front) {
    const bool ready = runs_[at(front)] != nullptr && children_left_[at(front)] == 0;
    if (ready) activate(run_of(front));
}

template <class T>
void UnitSubmission<T>::activate(FrontRun<T>& run) {
    try {
        submit(run);
    } catch (const Postponed&) {
        refused_.insert(std::lower_bound(refused_.begin(), refused_.end(), run.front), run.front);
        return;
    }
    ++activated_;
    run.end_order = context_.job->submitted();
    if (!threshold_) pivots_are_known(run.front);
}

template <class T>
void UnitSubmission<T>::submit(FrontRun<T>& run) {
    const index_t s = analysis_.mapping.subtree_of_front[at(run.front)];
    if (s >= 0) {
        submit_subtree(context_, run, s);
    } else {
        const AssemblyTree& tree = analysis_.tree;
        run.children.clear();
        for (count_t c = tree.child_begin[at(run.front)]; c < tree.child_begin[at(run.front) + 1]; ++c)
            run.children.push_back(runs_[at(tree.children[at(c)])].get());
        submit_front(context_, run);
    }
}

template <class T>
bool UnitSubmission<T>::hear_news() {
    told_.clear();
    news_.take(told_, refused_);
    std::sort(refused_.begin(), refused_.end());
    for (const index_t front : told_) {
        if (context_.job->stopped()) break;
        FrontRun<T>& run = run_of(front);
        context_.budget->count_delayed(run.delayed->cols());
        if (run.tiled != nullptr && run.tiled->front().ncb() > 0)
            submit_update_leftover(context_, run,
                                   context_.priority(analysis_.mapping.bottom_level_flops[at(front)], 1));
        pivots_are_known(front);
    }
    return !told_.empty();
}

template <class T>
void UnitSubmission<T>::pivots_are_known(index_t front) {
    const index_t parent = analysis_.tree.fronts[at(front)].parent;
    if (parent < 0) return;
    --children_left_[at(parent)];
    activate_if_ready(parent);
}

/// Nothing runs that could release bytes, and the next unit does not fit.
template <class T>
void UnitSubmission<T>::refuse_next() const {
    if (context_.job->stopped()) return;
    if (admitted_ == units_.size())
        throw RuntimeError("internal: no task runs, and a front still waits for the pivots of its children");
    const index_t front = units_[admitted_];
    const count_t bytes = predicted_bytes(front).sum();
    refuse_bytes(*context_.budget, front, analysis_.tree.fronts[at(front)].nfront, bytes,
                 context_.budget->used_bytes() + bytes);
}

template <class T>
void UnitSubmission<T>::collect(FactorReport& report, PivotReport& pivots) const {
    report.work.front_seconds.assign(runs_.size(), 0.0);
    for (std::size_t f = 0; f < runs_.size(); ++f) {
        if (!runs_[f]) continue;
        report.work.front_seconds[f] = runs_[f]->seconds.load();
        const index_t first = analysis_.tree.fronts[f].first_column;
        for (std::size_t k = 0; k < runs_[f]->reports.size(); ++k) {
            PivotReport part = runs_[f]->reports[k];
            // Subtrees report global columns already.
            if (runs_[f]->tiled != nullptr && part.failed_column >= 0)
                part.failed_column += first + runs_[f]->tiled->grid().cut[k];
            pivots += part;
        }
    }
}

#define FROND_INSTANTIATE(T) template class UnitSubmission<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

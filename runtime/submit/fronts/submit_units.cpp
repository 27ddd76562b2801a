// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/submit_units.hpp"

#include <algorithm>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "engine/insert_task.hpp"
#include "submit/fronts/exchange/exchange_blocks.hpp"
#include "submit/fronts/submit_threshold.hpp"

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
      newly_deferred_(analysis.tree.fronts.size(), *context.job),
      counted_(analysis.tree.fronts.size(), 0) {
    for (index_t f = 0; f < analysis.tree.front_count(); ++f)
        if (is_unit(analysis.mapping, f) && !is_received(f)) units_.push_back(f);
    deferred_.reserve(units_.size());  // they go on also when no more memory can be had
    context_.make_room = [this] { make_room(); };
}

template <class T>
void UnitSubmission<T>::submit_all() {
    while (admitted_ < units_.size() && !context_.job->stopped()) {
        if (static_cast<index_t>(admitted_) == context_.failing_unit) throw RuntimeError("a unit fails for a test");
        const Job::Changes seen = context_.job->changes();
        const count_t pending = context_.job->pending();  // asked before the units that are deferred
        newly_deferred_.take(deferred_);
        const bool idle = nothing_runs(pending);
        if (try_deferred(idle)) continue;
        const Admission admission = deferred_.empty() ? admit_next() : Admission::no_memory;
        if (admission == Admission::done) continue;
        if (idle) refuse_next();
        context_.job->wait_for_change(seen, admission == Admission::many_tasks ? fewer_pending() + waiting_sends() : 0,
                                      !deferred_.empty());
    }
}

/// Drains the messages of units that were not submitted, and the rest of a unit that was submitted in part. Other ranks
/// wait for these messages: where they cannot be posted, the ranks cannot end together.
template <class T>
void UnitSubmission<T>::drain() noexcept {
    try {
        if (context_.messages != nullptr) context_.messages->drain();
    } catch (...) {
        context_.job->fail(std::current_exception());
    }
}

template <class T>
void UnitSubmission<T>::finish() noexcept {
    if (context_.job->stopped()) drain();
    for (;;) {
        const Job::Changes seen = context_.job->changes();
        try {
            const count_t pending = context_.job->pending();
            newly_deferred_.take(deferred_);
            while (try_deferred(nothing_runs(pending))) {
            }
        } catch (...) {
            context_.job->fail(std::current_exception());
        }
        if (context_.job->pending() == 0) return context_.job->wait_quietly();
        context_.job->wait_for_change(seen, 0, !deferred_.empty());
    }
}

/// The run of a child, with what other ranks send of it. If another rank has the child: what of it is here.
template <class T>
FrontRun<T>& UnitSubmission<T>::child_run(index_t child) {
    const bool elsewhere = is_received(child);
    if (elsewhere) start_run(child, {});
    FrontRun<T>& run = run_of(child);
    if (context_.messages != nullptr) run.received_bytes = context_.messages->received_bytes(child);
    const bool brings_delayed = context_.messages != nullptr && context_.messages->receives_delayed(child);
    if (elsewhere || run.received_bytes > 0 || brings_delayed) prepare_received(context_, run);
    return run;
}

template <class T>
index_t UnitSubmission<T>::uses_of_contribution(index_t front) const {
    const index_t parent = analysis_.tree.fronts[at(front)].parent;
    return (parent >= 0 && !is_received(parent) ? 1 : 0) + (is_sent(context_, front) ? 1 : 0);
}

template <class T>
void UnitSubmission<T>::submit(index_t front) {
    FrontRun<T>& run = run_of(front);
    run.first_order = context_.job->submitted();
    run.contribution_uses.store(uses_of_contribution(front));
    const index_t s = analysis_.mapping.subtree_of_front[at(front)];
    if (s >= 0) {
        submit_subtree(context_, run, s);
    } else {
        const AssemblyTree& tree = analysis_.tree;
        for (count_t c = tree.child_begin[at(front)]; c < tree.child_begin[at(front) + 1]; ++c) {
            const index_t child = tree.children[at(c)];
            run.children.push_back(&child_run(child));
        }
        submit_front(context_, run);
    }
    run.end_order = context_.job->submitted();
}

/// Subtrees report global columns already.
template <class T>
void UnitSubmission<T>::add_pivots(const FrontRun<T>& run, PivotReport& pivots) const {
    if (run.subtree != nullptr) pivots += run.subtree->outcome.counts;
    for (index_t k = 0; run.tiled != nullptr && k < run.tiled->own_tiles(); ++k) {
        if (!run.tiled->is_here(k, k)) continue;
        PivotReport part = run.tiled->outcome(k).counts;
        if (part.failed_column >= 0)
            part.failed_column += run.tiled->front().first_column + run.tiled->grid().cut[at(k)];
        pivots += part;
    }
    if (run.pivots != nullptr) pivots += run.pivots->outcome().counts;
}

template <class T>
void UnitSubmission<T>::collect(FactorReport& report, PivotReport& pivots) const {
    report.work.front_seconds.assign(runs_.size(), 0.0);
    for (std::size_t f = 0; f < runs_.size(); ++f) {
        if (!runs_[f]) continue;
        report.work.front_seconds[f] = runs_[f]->seconds.load();
        add_pivots(*runs_[f], pivots);
    }
    if (context_.made != nullptr) context_.made->collect(report, pivots);
}

#define FROND_INSTANTIATE(T) template class UnitSubmission<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

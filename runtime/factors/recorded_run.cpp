// SPDX-License-Identifier: BSD-3-Clause
#include "factors/recorded_run.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

template <class T>
RecordedSecondPass recorded(const cpu::SecondPass<T>& l) {
    return {l.rows(), l.cols(), l.kept, l.search_flops};
}

/// The last of a unit, which says what it hands to its parent.
template <class T>
const PivotOutcome& last_outcome(const FactorsState<T>& state, index_t front) {
    const Mapping& mapping = state.analysis->mapping;
    const index_t s = mapping.subtree_of_front[at(front)];
    if (s >= 0) return state.factors.subtrees()[at(s)].pivots->outcome;
    const TiledFront<T>& tiled = *state.factors.tiled()[at(mapping.grid_of_front[at(front)])];
    return tiled.outcome(tiled.own_tiles() - 1);
}

template <class T>
RecordedFront recorded_tiles(const FactorsState<T>& state, index_t front, const TiledFront<T>& tiled) {
    const AssemblyTree& tree = state.analysis->tree;
    RecordedFront found;
    found.front = front;
    found.second_pass = recorded(tiled.second_pass());
    RecordedPanel before;
    for (count_t c = tree.child_begin[at(front)]; c < tree.child_begin[at(front) + 1]; ++c) {
        const PivotOutcome& child = last_outcome(state, tree.children[at(c)]);
        before.rows += child.failed_rows;
        before.columns += child.failed_columns;
    }
    for (index_t k = 0; k < tiled.own_tiles(); ++k) {
        found.panels.push_back({before.rows, before.columns, tiled.kept(k)});
        before = {tiled.outcome(k).failed_rows, tiled.outcome(k).failed_columns, 0};
    }
    return found;
}

template <class T>
void add_tiles(const FactorsState<T>& state, index_t front, RecordedRun& run) {
    const TiledFront<T>& tiled = *state.factors.tiled()[at(state.analysis->mapping.grid_of_front[at(front)])];
    if (tiled.has_second_pass()) run.fronts.push_back(recorded_tiles(state, front, tiled));
}

template <class T>
void add_subtree(const FactorsState<T>& state, index_t s, RecordedRun& run) {
    for (const auto& failed : state.factors.subtrees()[at(s)].pivots->second_passes.fronts)
        run.fronts.push_back({failed.front, {}, recorded(failed.second_pass), failed.tried_pivots, failed.tried_rows});
}

}  // namespace

template <class T>
RecordedRun recorded_run(const FactorsState<T>& state) {
    RecordedRun run;
    run.analysis = fingerprint_of(*state.analysis);
    run.threshold = state.report.pivoting == Pivoting::threshold;
    run.delayed = state.report.pivots.delayed;
    run.second_pass = state.report.pivots.second_pass;
    const Mapping& mapping = state.analysis->mapping;
    for (index_t f = 0; run.threshold && f < state.analysis->tree.front_count(); ++f) {
        const index_t s = mapping.subtree_of_front[at(f)];
        if (s < 0)
            add_tiles(state, f, run);
        else if (mapping.subtrees[at(s)].root_front == f)
            add_subtree(state, s, run);
    }
    return run;
}

#define FROND_INSTANTIATE(T) template RecordedRun recorded_run<T>(const FactorsState<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// The fields of everything in an Analysis, for writer and reader alike. The bindings name all of them:
// a field added to a struct does not compile until it is named here, and is then stored both ways.
// A change here needs another format_version.
#pragma once

#include "frond/analysis/analysis.hpp"

#include <concepts>

namespace frond::detail {

/// T or const T.
template <class A, class T>
concept Fields = std::same_as<std::remove_const_t<A>, T>;

template <Fields<OrderingCandidate> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [method, seconds, flops, factor_entries] = a;
    visit(method, seconds, flops, factor_entries);
}

template <Fields<MachineDescription> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [cores, core_flops, devices, device_flops, level_seconds, step_seconds] = a;
    visit(cores, core_flops, devices, device_flops, level_seconds, step_seconds);
}

template <Fields<AnalysisReport> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [seconds, matching, order, symbolic, ordering, candidates, machine, matched, rank, vertices, pairs,
           supernodes, distributed] = a;
    static_cast<void>(distributed);  // what is in a file is whole
    visit(seconds, matching, order, symbolic, ordering, candidates, machine, matched, rank, vertices, pairs,
          supernodes);
}

template <Fields<AnalysisOptions> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [factorization, ordering, user_order, grid, dofs, matching, scaling, zeros, tile_size, workers, ranks, gpus,
           deterministic, distributed, threads, machine, tree_cut] = a;
    static_cast<void>(distributed);  // what is in a file is whole
    static_cast<void>(tree_cut);  // is in the mapping, and another machine may have another one
    visit(factorization, ordering, user_order, grid, dofs, matching, scaling, zeros, tile_size, workers, ranks, gpus,
          deterministic, threads, machine);
}

template <Fields<Front> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [first_column, npiv, nfront, parent, rows_begin] = a;
    visit(first_column, npiv, nfront, parent, rows_begin);
}

template <Fields<AssemblyTree> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [order, fronts, rows, relative_rows, first_descendant, child_begin, children] = a;
    visit(order, fronts, rows, relative_rows, first_descendant, child_begin, children);
}

template <Fields<EntryMap> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [front_begin, source, row, column] = a;
    visit(front_begin, source, row, column);
}

template <Fields<TileGrid> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [cut, own_tiles] = a;
    visit(cut, own_tiles);
}

template <Fields<Subtree> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [first_front, root_front, flops, factor_scalars, stack_scalars] = a;
    visit(first_front, root_front, flops, factor_scalars, stack_scalars);
}

template <Fields<Mapping> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [subtrees, subtree_of_front, grid_of_front, grids, bottom_level_flops, workers] = a;
    visit(subtrees, subtree_of_front, grid_of_front, grids, bottom_level_flops, workers);
}

template <Fields<CostModel> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [flops, front_flops, entries, sequential, parallel, largest_front, critical_path] = a;
    visit(flops, front_flops, entries, sequential, parallel, largest_front, critical_path);
}

/// All of them but `facts`, which follow from the others.
template <Fields<Analysis> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [order, entries, symmetry, factorization, positive_diagonal, pattern_hash, row_order, column_order,
           pair_with_next, matching, tree, entry_map, mapping, cost, options, report, facts] = a;
    visit(order, entries, symmetry, factorization, positive_diagonal, pattern_hash, row_order, column_order,
          pair_with_next, matching, tree, entry_map, mapping, cost, options, report);
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/base/types.hpp"

namespace frond {

/// A node of the assembly tree: npiv fully summed columns first_column .. first_column + npiv - 1
/// (positions in the elimination order) and nfront - npiv contribution rows.
struct Front {
    index_t first_column = 0;
    index_t npiv = 0;
    index_t nfront = 0;
    index_t parent = -1;  // front number; -1 at a root
    count_t rows_begin = 0;  // its contribution rows: AssemblyTree::rows[rows_begin .. + ncb())

    index_t ncb() const { return nfront - npiv; }
};

/// Fronts in postorder: children before parents, every subtree contiguous. Parents of position k
/// are positions > k, so columns, too, are numbered in postorder.
struct AssemblyTree {
    index_t order = 0;  // n
    std::vector<Front> fronts;  // postorder
    std::vector<index_t> rows;  // contribution rows (elimination positions), ascending per front
    std::vector<index_t> relative_rows;  // [rows.size()] local row in the parent front, 0 .. nfront(parent)-1
    std::vector<index_t> first_descendant;  // [fronts] subtree of f = fronts first_descendant[f] .. f
    std::vector<count_t> child_begin;  // [fronts + 1] children of f: children[child_begin[f] ..)
    std::vector<index_t> children;  // ascending = the order in which they are assembled

    index_t front_count() const { return static_cast<index_t>(fronts.size()); }
};

/// Says where the entries of the canonical matrix go. Entries of front f: [front_begin[f], front_begin[f+1]).
/// Symmetric factorizations: row >= column and column < npiv. LU: min(row, column) < npiv.
struct EntryMap {
    std::vector<count_t> front_begin;  // [fronts + 1]
    std::vector<count_t> source;  // e >= 0: value[e]; e < 0: value[~e] of the mirrored entry
        // (conjugated when the matrix is Hermitian)
    std::vector<index_t> row;  // local row in the front
    std::vector<index_t> column;  // local column in the front
};

/// Columns cut at tile boundaries, in local numbers of the front: cut[0] = 0 < ... ; own columns end
/// at cut[own_tiles] = npiv, contribution rows at cut.back() = nfront.
struct TileGrid {
    std::vector<index_t> cut;
    index_t own_tiles = 0;

    index_t tiles() const { return static_cast<index_t>(cut.size()) - 1; }
    index_t size(index_t t) const { return cut[static_cast<std::size_t>(t) + 1] - cut[static_cast<std::size_t>(t)]; }
};

/// A whole subtree that is one task: fronts first_front .. root_front. Or a bundle of whole trees that
/// follow each other: then several fronts of the range have parent -1, the last of them is root_front,
/// and none has contribution rows.
struct Subtree {
    index_t first_front = 0;
    index_t root_front = 0;
    double flops = 0;
    count_t factor_scalars = 0;  // scalars of all its factor panels, aligned as front_panels lays them out
    count_t stack_scalars = 0;  // peak of its contribution stack while it runs, root's block included
};

/// Which fronts run inside subtree tasks and how the others are cut.
struct Mapping {
    std::vector<Subtree> subtrees;  // ascending
    std::vector<index_t> subtree_of_front;  // [fronts]; -1: on tiles
    std::vector<index_t> grid_of_front;  // [fronts]; index in grids, -1 inside subtrees
    std::vector<TileGrid> grids;
    std::vector<double> bottom_level_flops;  // [fronts] flops from the start of f to the end of its root
    index_t workers = 1;  // it was cut for
};

/// Predictions for one factorization kind; flops are real operations of the scalar type divided by
/// what real arithmetic would cost, i.e. multiply by 4 for complex scalars.
struct CostModel {
    double flops = 0;
    std::vector<double> front_flops;  // [fronts]
    count_t factor_entries = 0;  // entries of L (+ D, + U) that are stored
    count_t peak_scalars_sequential = 0;  // factors + stack, one front after the other in postorder
    count_t peak_scalars_parallel = 0;  // what the submitter keeps to: see docs/memory.md
    index_t largest_front = 0;
    double critical_path_flops = 0;
};

}  // namespace frond

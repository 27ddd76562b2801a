// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "factor/cut_costs.hpp"
#include "factor/tree_cut.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/analysis/core_pieces.hpp"
#include "frond/analysis/share_tree.hpp"
#include "frond/base/parallel_for.hpp"

namespace frond::gpu {

struct CutBefore;

/// The parts that devices share, in their order. Where squares, saved blocks and factors take more than `most_scalars`
/// on one of them, parts may be cut into subtrees whose squares take less, those side by side together, and single
/// fronts above them, which are there by strips where their square would take more. Several limits for the squares are
/// tried, the same ones for all rooms that have them, and the cut is taken whose factorization takes least, by
/// seconds_of_cut; of those that take at most 3% longer the one with the quickest solve. A tree with a front that does not
/// fit by strips either is not cut.
TreeCut cut_tree(const Analysis& analysis, const TreeShares& shares, count_t most_scalars, const CutCosts& costs,
                 const ParallelFor& parallel_for = {});

/// Cut as another tree was.
TreeCut cut_as_before(const AssemblyTree& tree, const CutBefore& before, count_t most_scalars);

/// Where the blocks of columns of a front on tiles begin, and their end, if all devices do it: where tiles do, at npiv too.
std::vector<index_t> column_blocks(const Analysis& analysis, index_t front);
/// The last columns of a root are quicker on one device, whose steps follow each other without tasks.
inline constexpr index_t most_tail_columns = 8192;
/// Where the columns begin, at one of these cuts, that one device eliminates together in the end; npiv: there are none.
index_t first_of_tail(const Analysis& analysis, index_t front, const std::vector<index_t>& cut);

/// How many of its columns a front should eliminate before the others are a front of their own: all where it fits.
index_t columns_at_once(index_t npiv, index_t nfront, count_t most_scalars);

/// [fronts] SubtreePlan::square_scalars() of the subtree of each. O(fronts + what children share of their depths).
std::vector<count_t> scalars_of_subtrees(const AssemblyTree& tree);

/// One device and cores beside it, with room for the whole tree.
TreeCut cut_beside_cores(const AssemblyTree& tree, const Mapping& mapping, const CorePieces& pieces);

}  // namespace frond::gpu

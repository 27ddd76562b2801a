// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "factor/cut/cut_costs.hpp"
#include "factor/cut/piece_cut.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/analysis/pieces.hpp"
#include "frond/base/parallel_for.hpp"

namespace frond::gpu {

struct CutBefore;

/// The parts that devices share, in their order. Where squares, saved blocks and factors take more than `most_scalars`
/// on one of them, parts may be cut into subtrees whose squares take less, those side by side together, and single
/// fronts above them, which are there by strips where their square would take more. Several limits for the squares are
/// tried, the same ones for all rooms that have them, and the cut is taken whose factorization takes least, by
/// seconds_of_cut; of those that take at most 3% longer the one with the quickest solve. A tree with a front that does not
/// fit by strips either is not cut.
PieceCut cut_tree(const Analysis& analysis, const TreeShares& shares, count_t most_scalars, const CutCosts& costs,
                  const ParallelFor& parallel_for = {});

/// Cut as another tree was.
PieceCut cut_as_before(const AssemblyTree& tree, const CutBefore& before, count_t most_scalars);

/// One device and cores of its machine, with room for the whole tree.
PieceCut cut_beside_cores(const AssemblyTree& tree, const Mapping& mapping, const CorePieces& pieces);

}  // namespace frond::gpu

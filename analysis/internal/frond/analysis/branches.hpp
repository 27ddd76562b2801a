// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/rank_mapping.hpp"

namespace frond {

/// The branches of a rank: the largest subtrees of an assembly tree of which it has all fronts, in the order of the tree.
struct Branches {
    /// The fronts of the branches and their units, as an analysis by itself, whose columns and entries are
    /// numbered anew, in the same order. The root of a branch has no parent there; where it has one in the tree, it leaves a
    /// contribution block, and relative_rows says where its rows are in that parent. Null: there are none.
    /// The forest knows nothing of the matrix: no rows, orders or positions of entries in it; entry_map.source counts
    /// the entries.
    std::shared_ptr<const Analysis> forest;
    std::vector<index_t> front;  // [fronts of forest] its number in the tree

    bool is_empty() const { return forest == nullptr; }
};

/// The fronts of the rank's branches, ascending. O(fronts).
std::vector<index_t> fronts_of_branches(const AssemblyTree& tree, const RankMapping& mapping, index_t rank);

/// analysis: the whole of it, or the part that the rank has. O(fronts + rows and entries of the branches).
Branches branches_of(const Analysis& analysis, const RankMapping& mapping, index_t rank);

}  // namespace frond

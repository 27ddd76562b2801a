// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "factor/cut/cut_tree.hpp"
#include "frond/analysis/analysis.hpp"

namespace frond::gpu {

/// PivotSelections of the fronts that are searched.
count_t selections_of_search(const AssemblyTree& tree, const std::vector<char>& searched);

/// How a tree is factored on devices at once, whatever its values: the same for all devices that share it.
template <class T>
struct TreePlan {
    /// most_bytes: that it may take on each device, with as many of the factors as then have room. The tree is cut into
    /// pieces as far as that helps; bytes() says what it takes without factors.
    TreePlan(const Analysis& analysis, const TreeShares& shares, count_t most_bytes, const CutCosts& costs,
             const std::vector<char>& searched, const ParallelFor& parallel_for);
    /// One device while cores work, too, with room for all.
    TreePlan(const Analysis& of, const CorePieces& pieces, const std::vector<char>& where)
        : TreePlan(of, cut_beside_cores(of.tree, of.mapping, pieces), where) {}

    /// Cut where another tree was; bytes() says whether that fits.
    TreePlan(const Analysis& analysis, count_t most_bytes, const CutBefore& before, const std::vector<char>& searched);

    /// Tables, squares, and rooms of blocks that are saved between pieces.
    count_t bytes(index_t device) const;
    count_t bytes_of_tables() const { return table_bytes_; }
    /// The bytes of such rooms in pinned memory of the host. Traffic counts each block, also those that use a room in
    /// turn.
    count_t host_bytes() const { return saved.host_scalars() * static_cast<count_t>(sizeof(T)); }
    count_t host_traffic_bytes() const { return saved.host_traffic() * static_cast<count_t>(sizeof(T)); }
    count_t pivot_scalars() const;
    count_t perm_size() const;

    /// Room of a block of columns of tree.shared()[shared], the joined one behind its others: behind those of saved blocks.
    index_t room_of_block(index_t shared, index_t block) const;
    /// The bytes of such a room: the columns as they are in memory, then the pivots of fully summed ones as
    /// DenseFront's [2, columns], and perm [columns].
    count_t block_bytes(const SubtreePlan::SharedFront& shared, index_t block) const;

    const Analysis& analysis;
    SubtreePlan tree;
    SavedBlocks saved;
    bool cut_for_memory;
    // Without addresses, as tree.fronts(), those by strips without their last columns, those that all devices do one
    // block of columns each, of which the steps do all rows, but of L L^T the diagonal block; and as tree.strips().
    std::vector<DenseFront<T>> squares, strips;
    std::vector<char> searched;  // as PlanRequest has them
    StepPlan steps;

private:
    TreePlan(const Analysis& analysis, PieceCut&& cut, const std::vector<char>& searched);
    void add_squares();
    static count_t table_bytes(const Analysis& analysis, const std::vector<char>& searched);

    count_t table_bytes_;
};

}  // namespace frond::gpu

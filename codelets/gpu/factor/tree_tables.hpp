// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "device_memory.hpp"
#include "factor/tree_plan.hpp"
#include "kernels/dense/bring_pivot_rows.hpp"
#include "kernels/level_batch/gather_level.hpp"
#include "kernels/level_batch/list_child_rows.hpp"

namespace frond::gpu {

/// What one device reads and works in, the same for all matrices of an analysis. Tables are of all fronts, squares of
/// those that the device does.
template <class T>
class TreeTables {
public:
    TreeTables(const TreePlan<T>& plan, index_t device)
        : plan_(plan), device_(device), squares_(plan.squares), strips_(plan.strips) {}

    const TreePlan<T>& plan() const noexcept { return plan_; }
    const StepPlan& steps() const noexcept { return plan_.steps; }
    bool is_own(const SubtreePlan::Range& range) const noexcept { return range.device == device_; }
    /// Places everything on the device.
    void send(unsigned node, Stream stream);

    /// The fronts in the order of plan().tree.fronts(), with addresses of the device; blocks of columns have those of
    /// place_block().
    const std::vector<DenseFront<T>>& squares() const noexcept { return squares_; }
    void place_block(index_t square, const DenseFront<T>& block) { squares_[static_cast<std::size_t>(square)] = block; }
    /// The strips in the order of plan().tree.strips(), with addresses of the device.
    const std::vector<DenseFront<T>>& strips() const noexcept { return strips_; }

    // These are in device memory; strips are behind the fronts.
    DenseFront<T>* fronts() const noexcept { return fronts_there_.data(); }
    FrontSources* sources() const noexcept { return sources_.data(); }
    index_t place_of_strip(index_t strip) const noexcept { return static_cast<index_t>(squares_.size()) + strip; }
    FrontStep* front_steps() const noexcept { return steps_there_.data(); }
    ChildBlock<T>* children() const noexcept { return children_.data(); }
    LevelEntries<T> entries() const noexcept { return {entry_row_.data(), entry_column_.data(), values_.data()}; }
    FrontSources sources_of(index_t tree_front) const;
    T* values() const noexcept { return values_.data(); }
    /// Where its contribution block is saved, relative to the rooms, which are parts 1 ...; null: it is used in its own
    /// piece.
    T* saved_block(index_t tree_front) const noexcept;
    T* pivots() const noexcept { return pivots_.data(); }
    index_t* perm() const noexcept { return perm_.data(); }
    /// [plan().perm_size()], as DenseFront's, to be cleared.
    const DeviceMemory<PivotMark>& marks() const noexcept { return marks_; }

private:
    void place_squares();
    void place_strips();
    void make_selections(unsigned node, Stream stream);
    std::vector<FrontSources> front_sources() const;
    std::vector<ChildBlock<T>> child_blocks() const;
    void add_blocks_of_columns(const SubtreePlan::SharedFront& child, const index_t* row_of, const index_t*& column_of,
                               std::vector<ChildBlock<T>>& blocks) const;
    void count_child_blocks();
    DeviceMemory<index_t> child_row_of(unsigned node, Stream stream) const;
    std::vector<index_t> child_column_of() const;

    const TreePlan<T>& plan_;
    index_t device_;
    std::vector<DenseFront<T>> squares_, strips_;
    std::vector<index_t> first_child_block_;  // [children + 1], of child_blocks()
    DeviceMemory<DenseFront<T>> fronts_there_;
    DeviceMemory<FrontSources> sources_;
    DeviceMemory<FrontStep> steps_there_;
    DeviceMemory<ChildBlock<T>> children_;
    DeviceMemory<index_t> child_row_of_, child_column_of_, entry_row_, entry_column_, perm_, row_of_;
    DeviceMemory<PivotMark> marks_;
    DeviceMemory<RowSwaps> swaps_;
    DeviceMemory<PivotSelection> selections_;
    DeviceMemory<T> values_, pivots_, squares_room_;
};

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "device_memory.hpp"
#include "factor/handed_blocks.hpp"
#include "frond/analysis/analysis.hpp"
#include "kernels/subtree_level.hpp"
#include "tasks/subtree_plan.hpp"

namespace frond::gpu {

/// What the factorization of a whole tree reads and works in, the same for all matrices of an analysis.
template <class T>
class TreeTables {
public:
    /// most_bytes: that it may take on the device. Then the tree is cut into ranges as far as that helps; bytes()
    /// says what it takes.
    TreeTables(const Analysis& analysis, count_t most_bytes);

    const SubtreePlan& plan() const noexcept { return plan_; }
    const StepPlan& steps() const noexcept { return steps_; }
    /// On the device once they are there.
    count_t bytes() const noexcept { return bytes_; }
    /// Pinned memory of the host, for contribution blocks that wait for later ranges.
    count_t host_bytes() const noexcept { return handed_.host_scalars() * static_cast<count_t>(sizeof(T)); }
    count_t host_traffic_bytes() const noexcept { return handed_.host_traffic() * static_cast<count_t>(sizeof(T)); }
    bool is_there() const noexcept { return fronts_there_.data() != nullptr; }
    /// Places everything on the device. host_room: host_bytes() of pinned memory.
    void send(unsigned node, Stream stream, T* host_room);

    /// In the order of plan().fronts(), with addresses of the device.
    const std::vector<SquareFront<T>>& squares() const noexcept { return squares_; }

    // In device memory.
    SquareFront<T>* fronts() const noexcept { return fronts_there_.data(); }
    FrontSources* sources() const noexcept { return sources_.data(); }
    FrontStep* front_steps() const noexcept { return steps_there_.data(); }
    ChildBlock<T>* children() const noexcept { return children_.data(); }
    LevelEntries<T> entries() const noexcept { return {entry_row_.data(), entry_column_.data(), values_.data()}; }
    T* values() const noexcept { return values_.data(); }
    /// Where its contribution block waits for the range that uses it; null: it is used in its own range.
    T* handed_block(index_t tree_front) const noexcept;
    T* pivots() const noexcept { return pivots_.data(); }
    index_t* perm() const noexcept { return perm_.data(); }
    count_t pivot_scalars() const noexcept;
    count_t perm_size() const noexcept;

private:
    count_t count_table_bytes() const;
    void cut(count_t most_bytes);
    void place_squares();
    std::vector<FrontSources> front_sources() const;
    std::vector<ChildBlock<T>> child_blocks() const;
    count_t child_row_count() const;
    std::vector<index_t> child_row_of() const;

    const Analysis& analysis_;
    SubtreePlan plan_;
    HandedBlocks handed_;
    StepPlan steps_;
    count_t bytes_ = 0;
    std::vector<SquareFront<T>> squares_;
    DeviceMemory<SquareFront<T>> fronts_there_;
    DeviceMemory<FrontSources> sources_;
    DeviceMemory<FrontStep> steps_there_;
    DeviceMemory<ChildBlock<T>> children_;
    DeviceMemory<index_t> child_rows_, child_row_of_, entry_row_, entry_column_, perm_;
    DeviceMemory<T> values_, pivots_, squares_room_, handed_room_;
    T* handed_on_host_ = nullptr;
};

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "factor/product_queues.hpp"
#include "factor/tree_tables.hpp"
#include "frond/gpu/tree_run.hpp"
#include "kernels/level_batch/store_blocks.hpp"
#include "queue.hpp"

namespace frond::gpu {

/// What one device does of fronts that all devices do. Each has blocks of columns in turn, which are data of StarPU. A
/// block of fully summed columns is eliminated on its device, by the same steps as a whole front, and then read by the
/// others, which subtract from their blocks what its pivots leave there. So a pivot is tested in its whole column, and
/// what fails is as on one device. Nothing is recorded, since blocks may lie elsewhere the next time.
/// Bits are those of the same blocks; products have other shapes than on one device.
template <class T>
class ColumnBlocks {
public:
    /// tables: of the device, which this changes.
    ColumnBlocks(const TreePlan<T>& plan, TreeTables<T>& tables, unsigned node, const Queue& queue);

    /// parts: where they begin, in device memory, and so `answer`. All but update() are for one thread, and put work on
    /// the queue; update() puts it on one of its own, for another thread, and returns when it is done.
    void gather(const ColumnsRun& run, unsigned char* const* parts);
    void advance(const ColumnsRun& run, ProductQueues* product_queues, EliminateAnswer* answer);
    void update(const ColumnsRun& run) const;
    void join(const ColumnsRun& run, ProductQueues* product_queues, EliminateAnswer* answer);
    void store(const ColumnsRun& run, const TreeFactorViews<T>& places, unsigned char* const* parts);

private:
    using SharedFront = SubtreePlan::SharedFront;

    const SharedFront& shared(const ColumnsRun& run) const {
        return plan_.tree.shared()[static_cast<std::size_t>(run.front)];
    }
    /// The block as it lies in memory from `block.begin` on, with pivots and their order in the device's arrays.
    DenseFront<T> view(const SharedFront& shared, const ColumnsRun::Block& block) const;
    /// The block with pivots and their order as they lie behind its columns.
    DenseFront<T> panel_view(const SharedFront& shared, const ColumnsRun::Block& block) const;
    void subtract(const ColumnsRun& run, const Queue& queue) const;
    void eliminate(const ColumnsRun& run, ProductQueues* product_queues, EliminateAnswer* answer);
    void solve_rows_below(const DenseFront<T>& block) const;
    void place_block(const ColumnsRun& run, index_t number, const DenseFront<T>& block);
    void keep_pivots(const DenseFront<T>& block, const DenseFront<T>& panel) const;
    template <class S>
    void send(const std::vector<S>& from, S* to) const;

    /// The number of eliminated blocks in the first `fronts` such fronts.
    static count_t eliminated_blocks(const TreePlan<T>& plan, index_t fronts);

    const TreePlan<T>& plan_;
    TreeTables<T>& tables_;
    unsigned node_;
    Factorization kind_;
    const Queue& queue_;
    Queue update_queue_;
    PinnedMemory<DenseFront<T>> staged_;  // [blocks that are eliminated], on their way to the device
    DeviceMemory<DenseFront<T>> fronts_;  // of the blocks that are gathered together
    DeviceMemory<FrontSources> sources_;
    DeviceMemory<StoreBlock<T>> store_blocks_;
    DeviceMemory<StorePivots<T>> store_pivots_;
};

}  // namespace frond::gpu

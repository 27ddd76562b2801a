// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "factor/device_tree.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "frond/gpu/failed_pivot.hpp"

namespace frond::gpu {

/// The pieces that several devices, or one, have of a tree.
template <class T>
class TreeOnDevices {
public:
    /// devices: those that may be used, the first ones are. plan: of the analysis, which outlives this.
    TreeOnDevices(const std::vector<Device>& devices, std::shared_ptr<const Analysis> analysis,
                  const TreePlan<T>& plan);
    TreeOnDevices(const TreeOnDevices&) = delete;
    TreeOnDevices& operator=(const TreeOnDevices&) = delete;
    ~TreeOnDevices() { drop_trees(); }

    const std::shared_ptr<const Analysis>& analysis() const noexcept { return analysis_; }
    const std::vector<Device>& devices() const noexcept { return devices_; }

    /// Makes what is on the devices from run to run, which else the first run there does.
    void be_ready();
    /// On a worker of the piece's device. The first run on a device also makes what is there from run to run: in
    /// addition to what the host prepares for the solve.
    void run(const PieceRun<T>& piece) { tree_on(device_of(piece.piece)).run(piece); }
    void run(const ColumnsRun& columns) { tree_on(columns.device).run(columns); }

    // A thread whose current device is the first one calls these, after all pieces.
    /// See ResidentFactorization.
    void put_pivots(index_t piece, const cpu::PiecePivots<T>& pivots);
    double largest_entry() const;
    bool has_failed() const;
    /// Fetches pivots and their order from all devices; the functions below need them.
    void collect();
    const index_t* perm() const { return trees_.front()->host_perm(); }
    const T* pivots() const { return trees_.front()->host_pivots(); }
    cpu::PiecePivots<T> pivots_of(index_t piece) const;
    const unsigned char* copy_of_block(index_t front) const;
    std::vector<FailedPivot> failed_pivots();
    PivotReport report(bool with_largest_l, const ParallelFor& parallel_for) const;
    /// See share_among_fronts; 0 where no trace is recorded.
    std::vector<double> front_seconds() const;

private:
    DeviceTree<T>& tree_on(index_t device);
    void drop_trees() noexcept;
    count_t pivots_each() const { return plan_.pivot_scalars() / std::max<index_t>(analysis_->order, 1); }
    index_t device_of(index_t piece) const { return plan_.tree.ranges()[static_cast<std::size_t>(piece)].device; }
    /// visit(device, first column, end of the columns) of what other devices than the first have done.
    template <class Visit>
    void on_columns_of_others(Visit visit) const;

    std::vector<Device> devices_;
    std::shared_ptr<const Analysis> analysis_;
    const TreePlan<T>& plan_;
    std::vector<std::unique_ptr<DeviceTree<T>>> trees_;  // [devices], null before the first run there
};

}  // namespace frond::gpu

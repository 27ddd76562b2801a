// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "frond/gpu/resident_solve.hpp"
#include "refinement/refined_system.hpp"

namespace frond::detail {

/// B or X of a caller.
template <class T>
struct PlacedBlock {
    DenseView<T> view;
    gpu::MemoryPlace place = gpu::MemoryPlace::host;
};

/// Right-hand sides and solutions on the device, in elimination order; only a B or X of the host crosses over. The
/// solutions to begin with are those by the factors. All columns of a block go through every step, since they share one
/// reading of the factors; the others are left out of what follows from it.
template <class T>
class DeviceColumns final : public RefinedSystem {
public:
    /// device: with the matrix of op(A), for the life of this.
    /// parallel_for: who copies B and X of the host.
    DeviceColumns(gpu::ResidentSolve<T>& device, PlacedBlock<const T> b, PlacedBlock<T> x, ParallelFor parallel_for)
        : device_(device), b_(b), x_(x), parallel_for_(std::move(parallel_for)) {}

    index_t columns() const override { return x_.view.cols; }
    index_t most_at_once() const override { return device_.largest_rhs(); }
    double norm() const override { return device_.norm(); }

    void take(index_t first, index_t count) override;
    std::vector<ResidualSizes> measure(std::span<const index_t> columns) override;
    void correct(std::span<const index_t> columns) override;
    void accept(std::span<const index_t> columns) override;
    void give() override;

    /// The seconds of the substitutions so far.
    double seconds() const { return seconds_; }
    /// Waits for the device, where an error has left a correction under way.
    void settle() noexcept;

private:
    gpu::ResidentSolve<T>& device_;
    PlacedBlock<const T> b_;
    PlacedBlock<T> x_;
    ParallelFor parallel_for_;
    index_t first_ = 0, count_ = 0;  // of the block
    double seconds_ = 0;
    bool is_correcting_ = false;
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// Refinement of solutions in row blocks.
#pragma once

#include <atomic>
#include <functional>

#include "refinement/refined_system.hpp"
#include "row_blocks/block_system.hpp"

namespace frond::detail {

/// Right-hand sides and solutions in row blocks: refine() runs on every rank, and decides the same, since the sizes are
/// those of the whole system. Memory that a rank is refused is refused to all of them.
template <class T>
class DistributedColumns final : public RefinedSystem {
public:
    /// X := op(A)^-1 X by the factors; rows of the block. Collective.
    using Apply = std::function<void(DenseView<T> x)>;

    /// b, x: rows of the block. Solutions to begin with: begin(first, X of these columns), which is collective. All that
    /// is given must outlive it. cancel, or null: of this rank; one is enough for all to stop.
    DistributedColumns(Communicator& ranks, const BlockSystem<T>& system, DenseView<const T> b, DenseView<T> x,
                       index_t most, Apply apply, std::function<void(DenseView<T> x)> begin,
                       const std::atomic<bool>* cancel);

    index_t columns() const override { return all_x_.cols; }
    index_t most_at_once() const override { return most_; }
    double norm() const override { return system_.norm(); }

    void allocate(const std::function<void()>& take) override;
    void take(index_t first, index_t count) override;
    std::vector<ResidualSizes> measure(std::span<const index_t> columns) override;
    void correct(std::span<const index_t> columns) override;
    void accept(std::span<const index_t> columns) override;
    void give() override {}

private:
    DenseView<T> view(LargeVector<T>& packed, std::size_t columns) const;

    Communicator& ranks_;
    const BlockSystem<T>& system_;
    DenseView<const T> all_b_;
    DenseView<T> all_x_;
    index_t most_;
    Apply apply_, begin_;
    const std::atomic<bool>* cancel_;
    DenseView<const T> b_;  // of the block of columns
    DenseView<T> x_;
    LargeVector<T> trial_, residual_;  // [rows, columns of the block]
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "system/linear_system.hpp"
#include "refinement/refine.hpp"
#include "system/row_chunks.hpp"

#include <memory>

namespace frond {

/// Right-hand sides and solutions in the host's memory, of all rows or of those that this process has. The solutions to begin with are given; X holds the best ones at
/// any time. The columns that are still refined are packed to the left of three work blocks.
template <class T>
class HostColumns : public RefinedSystem {
public:
    /// b, x [rows, nrhs]; inverse: X := op(A)^-1 X by the factors. All of these must outlive it. Narrower blocks than `most`
    /// are taken where memory for these is refused. @throws std::bad_alloc  when it is not enough for one column
    HostColumns(const LinearSystem<T>& system, DenseView<const T> b, const ApplyBlock<T>& inverse, DenseView<T> x,
                index_t most);

    index_t columns() const override { return all_x_.cols; }
    index_t most_at_once() const override { return most_; }
    double norm() const override { return system_.norm(); }

    void together(const std::function<void()>& body) override { system_.applied().together(body); }
    void take(index_t first, index_t count) override;
    std::vector<ResidualSizes> measure(std::span<const index_t> columns) override;
    void correct(std::span<const index_t> columns) override;
    /// Memory that is refused does not stop it.
    void accept(std::span<const index_t> columns) noexcept override;
    void give() override {}

private:
    bool try_allocate();
    template <class U>
    std::unique_ptr<U[]> block() const;
    DenseView<T> packed(const std::unique_ptr<T[]>& block) const;
    void copy(const T* from, T* to) const noexcept { copy_rows(system_.parallel_for(), from, to, n_); }
    void pack(std::span<const index_t> columns);
    void add_corrections();
    std::vector<ResidualSizes> measure_packed();

    const LinearSystem<T>& system_;
    DenseView<const T> all_b_;
    const ApplyBlock<T>& inverse_;
    DenseView<T> all_x_;
    count_t n_;
    index_t most_;
    DenseView<const T> b_;  // of the block
    DenseView<T> x_;
    std::unique_ptr<T[]> trial_, residual_;
    std::unique_ptr<real_t<T>[]> weight_;
    std::vector<index_t> packed_;  // column of the block at each packed place
    bool trial_is_x_ = false;  // as long as no correction was added
};

/// refine() with vectors of the host: X is what it begins with, and takes the solutions.
/// @throws OutOfMemory, std::bad_alloc  when memory is not even enough to measure; X is then as it was given
template <class T>
RefinementReport refine(const LinearSystem<T>& system, DenseView<const T> b, const ApplyBlock<T>& inverse,
                        DenseView<T> x, RefinementOptions options = {});

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "factors/tree_factors.hpp"
#include "frond/gpu/resident_solve.hpp"
#include "substitution/tree/branches/branch_sweeps.hpp"

namespace frond::detail {

/// Sweeps through the branches of a rank with their factors on its device: each is one task on the worker of the device, as a
/// solve in one process is.
template <class T>
class BranchesOnDevice final : public BranchSweeps<T> {
public:
    /// there: what begin_use() of the branches' DeviceSolve gave, whose end this is.
    BranchesOnDevice(const TreeFactors<T>& factors, gpu::ResidentSolve<T>& there, Operation op);
    ~BranchesOnDevice() override;

    void forward(DenseView<T> x, const std::vector<DenseView<T>>& outside) override;
    void backward(DenseView<T> x, const std::vector<DenseView<T>>& outside) override;

private:
    struct Columns {
        index_t first = 0, count = 0;
    };
    gpu::BranchVectors<T> vectors(DenseView<T> x, const std::vector<DenseView<T>>& outside) const;
    void run(index_t rhs, const std::function<void()>& sweep);

    const TreeFactors<T>& factors_;
    gpu::ResidentSolve<T>& there_;
    Operation op_;
    std::vector<Columns> columns_;  // of the branches in the tree, ascending
    bool is_broken_ = false;
};

}  // namespace frond::detail

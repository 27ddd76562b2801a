// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/cpu/dense_view.hpp"

namespace frond::detail {

/// The sweeps through the branches of a rank, by who has their factors in place of the units of the tree: a device.
/// x [n, rhs] in elimination order, of which the columns of the branches are read and written; outside: the contribution
/// vectors of the roots that have rows, in postorder. Both return when all is written.
/// @throws DeviceError
template <class T>
class BranchSweeps {
public:
    BranchSweeps() = default;
    BranchSweeps(const BranchSweeps&) = delete;
    BranchSweeps& operator=(const BranchSweeps&) = delete;
    virtual ~BranchSweeps() = default;

    /// x := D^-1 op(L)^-1 x, for backward(), and outside := what the parents gather.
    virtual void forward(DenseView<T> x, const std::vector<DenseView<T>>& outside) = 0;
    /// x := the solution, outside having that at the contribution rows.
    virtual void backward(DenseView<T> x, const std::vector<DenseView<T>>& outside) = 0;
};

}  // namespace frond::detail

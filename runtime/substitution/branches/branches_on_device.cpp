// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/branches/branches_on_device.hpp"

#include "factors/factors_state.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "session/parallel_for.hpp"
#include "substitution/device_solve.hpp"

namespace frond::detail {

template <class T>
BranchesOnDevice<T>::BranchesOnDevice(const TreeFactors<T>& factors, gpu::ResidentSolve<T>& there, Operation op)
    : factors_(factors), there_(there), op_(op) {
    for (const index_t f : factors.ownership.share->branches().front) {
        const Front& front = factors.analysis->tree.fronts[at(f)];
        if (columns_.empty() || columns_.back().first + columns_.back().count != front.first_column)
            columns_.push_back({front.first_column, 0});
        columns_.back().count += front.npiv;
    }
}

template <class T>
BranchesOnDevice<T>::~BranchesOnDevice() {
    factors_.ownership.branches->device_solve().end_use(is_broken_);
}

template <class T>
gpu::BranchVectors<T> BranchesOnDevice<T>::vectors(DenseView<T> x, const std::vector<DenseView<T>>& outside) const {
    gpu::BranchVectors<T> vectors;
    for (const Columns& columns : columns_) vectors.own.push_back(x.block(columns.first, 0, columns.count, x.cols));
    vectors.outside = outside;
    return vectors;
}

/// Substitutions that take turns there may be of different op(A).
template <class T>
void BranchesOnDevice<T>::run(index_t rhs, const std::function<void()>& sweep) {
    try {
        factors_.ownership.branches->device_solve().run_sweep(rhs, [&] {
            there_.choose(op_);
            sweep();
        });
    } catch (...) {
        is_broken_ = true;
        throw;
    }
}

template <class T>
void BranchesOnDevice<T>::forward(DenseView<T> x, const std::vector<DenseView<T>>& outside) {
    const gpu::BranchVectors<T> all = vectors(x, outside);
    run(x.cols, [&] { there_.forward(all, parallel_for_on(*factors_.session, "copy")); });
}

template <class T>
void BranchesOnDevice<T>::backward(DenseView<T> x, const std::vector<DenseView<T>>& outside) {
    const gpu::BranchVectors<T> all = vectors(x, outside);
    run(x.cols, [&] { there_.backward(all, parallel_for_on(*factors_.session, "copy")); });
}

#define FROND_INSTANTIATE(T) template class BranchesOnDevice<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

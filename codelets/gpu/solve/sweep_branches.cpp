// SPDX-License-Identifier: BSD-3-Clause
// One sweep through branches of a larger tree, between vectors of the host. Nothing stays on the device for the other one, so
// that several substitutions may take turns.
#include "frond/base/instantiate.hpp"
#include "solve/solve_on_device.hpp"
#include "solve/staged_copies.hpp"

namespace frond::gpu {
namespace {

template <class T>
index_t rhs_of(const BranchVectors<T>& vectors) {
    return vectors.own.empty() ? 0 : vectors.own.front().cols;
}

/// Columns first .. first + count.
template <class T>
std::vector<DenseView<T>> some_columns(const std::vector<DenseView<T>>& blocks, index_t first, index_t count) {
    std::vector<DenseView<T>> part;
    for (const DenseView<T>& block : blocks) part.push_back(block.block(0, first, block.rows, count));
    return part;
}

}  // namespace

/// Copies the rows behind those of the tree.
template <class T>
void SolveOnDevice<T>::copy_outside(S* to, count_t to_ld, const S* from, count_t from_ld, index_t rhs) const {
    const std::size_t rows = at(factors_.plan->layout.outside);
    if (rows == 0) return;
    check(FROND_GPU(Memcpy2DAsync)(to, at(to_ld) * sizeof(S), from, at(from_ld) * sizeof(S), rows * sizeof(S), at(rhs),
                                   FROND_GPU(MemcpyDeviceToDevice), queue_.stream()),
          "copying what branches leave");
}

template <class T>
void SolveOnDevice<T>::reserve_copies() {
    const CurrentDevice now(device_);
    staged_.reserve();
}

template <class T>
void SolveOnDevice<T>::forward(const BranchVectors<T>& vectors, const ParallelFor& parallel_for) {
    const CurrentDevice now(device_);
    const index_t order = factors_.analysis->order;
    for (index_t first = 0; first < rhs_of(vectors); first += largest_rhs_) {
        const index_t count = std::min(largest_rhs_, rhs_of(vectors) - first);
        StackedRows<T> rows(some_columns(vectors.own, first, count), n_);
        rows.send(staged_, queue_.stream(), x_.data(), count, parallel_for);
        substitute(count, Sweep::forward);
        copy_outside(w_.data() + order, n_, front_rows_.data() + factors_.plan->layout.rows, vectors_.front_rows_ld,
                     count);
        rows.add(some_columns(vectors.outside, first, count));
        rows.fetch(staged_, queue_.stream(), w_.data(), count, parallel_for);
    }
}

template <class T>
void SolveOnDevice<T>::backward(const BranchVectors<T>& vectors, const ParallelFor& parallel_for) {
    const CurrentDevice now(device_);
    const index_t order = factors_.analysis->order;
    for (index_t first = 0; first < rhs_of(vectors); first += largest_rhs_) {
        const index_t count = std::min(largest_rhs_, rhs_of(vectors) - first);
        const StackedRows<T> own(some_columns(vectors.own, first, count), n_);
        StackedRows<T> all = own;
        all.add(some_columns(vectors.outside, first, count));
        all.send(staged_, queue_.stream(), w_.data(), count, parallel_for);
        copy_outside(x_.data() + order, n_, w_.data() + order, n_, count);
        substitute(count, Sweep::backward);
        own.fetch(staged_, queue_.stream(), x_.data(), count, parallel_for);
    }
}

#define FROND_INSTANTIATE(T)                                                                     \
    template void SolveOnDevice<T>::copy_outside(S*, count_t, const S*, count_t, index_t) const; \
    template void SolveOnDevice<T>::reserve_copies();                                            \
    template void SolveOnDevice<T>::forward(const BranchVectors<T>&, const ParallelFor&);        \
    template void SolveOnDevice<T>::backward(const BranchVectors<T>&, const ParallelFor&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

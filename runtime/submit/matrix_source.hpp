// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "submit/fronts/submit_front.hpp"
#include "submit/scaled_entries.hpp"

namespace frond::detail {

/// The scaled A as fronts are assembled from it: the entries of a sparse one, or tiles of a dense one. It outlives the tasks
/// of a factorization, and the state outlives it.
template <class T>
class MatrixSource {
public:
    /// Scales the entries of a sparse A, whose largest one is then in the state; of a dense one it is known already.
    explicit MatrixSource(FactorsState<T>& state);

    /// Null: A is dense.
    T* entries() noexcept { return entries_.data(); }
    /// Beside the entries.
    void give_to(FactorizationContext<T>& context) noexcept;

private:
    ScaledEntries<T> entries_;
    DenseSource<T> dense_;
    bool has_dense_ = false;  // and no other rank has it
    std::unique_ptr<DenseLoading<T>> loading_;
};

}  // namespace frond::detail

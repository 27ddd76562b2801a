// SPDX-License-Identifier: BSD-3-Clause
// The diagonal of A, of which each rank has that of its rows.
#pragma once

#include <atomic>
#include <memory>

#include "frond/analysis/kept_scaling.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "ranks/communicator.hpp"
#include "row_blocks/block_pattern.hpp"

namespace frond::detail {

/// A matrix that is made once for each factorization, in the same memory where the one before is not used any more.
template <class T>
class ReusedMatrix {
public:
    /// As it was left, or an empty one. Nobody else has it until what is returned is gone.
    std::shared_ptr<SparseMatrix<T>> take() {
        if (kept_ == nullptr || kept_->is_taken.exchange(true)) kept_ = std::make_shared<Kept>();
        return {&kept_->matrix, [kept = kept_](SparseMatrix<T>*) { kept->is_taken = false; }};
    }

private:
    struct Kept {
        SparseMatrix<T> matrix;
        std::atomic<bool> is_taken{true};
    };
    std::shared_ptr<Kept> kept_;
};

template <class T>
struct DiagonalOfRows {
    ExponentRange range;  // on all ranks
    SharedMatrix<T> matrix;  // on rank 0, in canonical form; null elsewhere
};

/// value: of the pattern. Collective. @throws OutOfMemory  on all ranks
template <class T>
DiagonalOfRows<T> diagonal_of_rows(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value,
                                   ReusedMatrix<T>& memory, const ParallelFor& parallel_for = {});

}  // namespace frond::detail

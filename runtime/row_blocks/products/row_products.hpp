// SPDX-License-Identifier: BSD-3-Clause
// op(A) X of a sparse matrix in row blocks, where it lies, for a rank 0 that has X.
#pragma once

#include <memory>
#include <vector>

#include "frond/base/large_vector.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/cpu/dense_view.hpp"
#include "row_blocks/products/transposed_rows.hpp"

namespace frond::detail {

/// Each row is summed by one rank, in the order of the columns, so that bits do not depend on the number of ranks.
/// Products by rows. For A^T and A^H of general matrices the entries go to the rows of the other matrix when first
/// asked for, and stay there: as much memory again as pattern and values take. Calls are collective.
template <class T>
class RowProducts {
public:
    /// value [entries of the pattern]. parallel_for: of this rank's workers; may be empty.
    RowProducts(std::shared_ptr<const BlockPattern> pattern, std::shared_ptr<const LargeVector<T>> value,
                ParallelFor parallel_for)
        : a_{std::move(pattern), std::move(value)}, parallel_for_(std::move(parallel_for)) {}

    /// The sums op(A) X and |op(A)| |X|, all of them on rank 0; empty elsewhere.
    struct Sums {
        std::vector<T> product;  // [n, k]
        std::vector<real_t<T>> sizes;  // [n, k]
    };
    /// x [n, k], the same on all ranks.
    Sums apply(Communicator& ranks, Operation op, DenseView<const T> x);
    /// Entries in each row of op(A), both triangles counted: [n] on rank 0, empty elsewhere.
    std::vector<index_t> entries_of_rows(Communicator& ranks, Operation op);

private:
    const BlockRows<T>& rows_of(Communicator& ranks, Operation op);
    void sum_rows(const BlockRows<T>& rows, bool conjugates, DenseView<const T> x, Sums& sums) const;

    BlockRows<T> a_, transposed_;
    ParallelFor parallel_for_;
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// A sparse matrix whose rows are with several ranks, as factorizations and solves on rank 0 use it.
#pragma once

#include <memory>
#include <vector>

#include "frond/base/types.hpp"
#include "refinement/dense_products.hpp"

namespace frond::detail {

/// On rank 0, while it leads (factors/conducted_sparse.hpp). No rank has the whole of A.
template <class T>
class SparseRanks {
public:
    SparseRanks() = default;
    SparseRanks(const SparseRanks&) = delete;
    SparseRanks& operator=(const SparseRanks&) = delete;
    virtual ~SparseRanks() = default;

    virtual std::shared_ptr<const DenseOperator<T>> products(Operation op) const = 0;
    /// Entries in each row of op(A); [n].
    virtual std::vector<index_t> entries_of_rows(Operation op) const = 0;
    /// mine := scaled entries of rank 0's fronts and tiles, in the order of its entry map; the other ranks keep theirs for
    /// the factorization that follows. The largest magnitude of all.
    virtual double bring_entries(T* mine) const = 0;
};

}  // namespace frond::detail

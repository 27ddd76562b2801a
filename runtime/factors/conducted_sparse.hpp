// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/sparse_ranks.hpp"

namespace frond::detail {

/// The sparse matrix of the ranks that the calling thread leads, as ConductedDense is the dense one.
template <class T>
class ConductedSparse final : public SparseRanks<T> {
public:
    explicit ConductedSparse(index_t order) : order_(order) {}

    std::shared_ptr<const DenseOperator<T>> products(Operation op) const override;
    std::vector<index_t> entries_of_rows(Operation op) const override;
    double bring_entries(T* mine) const override;

private:
    index_t order_;
};

}  // namespace frond::detail

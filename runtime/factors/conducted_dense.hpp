// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/dense_ranks.hpp"

namespace frond::detail {

/// The dense matrix of the ranks that the calling thread leads, whichever Solver they belong to: a copy of a Solver has
/// the same factors and other ranks. If the thread leads none, every call is refused.
template <class T>
class ConductedDense final : public DenseRanks<T> {
public:
    explicit ConductedDense(index_t order) : order_(order) {}

    std::vector<T> diagonal() const override;
    bool may_be_definite(const std::vector<double>& root) const override;
    DenseMaxima maxima(const Scaling& scaling) const override;
    std::shared_ptr<const DenseOperator<T>> products(Operation op) const override;
    index_t tile_of_layout() const override;
    std::unique_ptr<DenseLoading<T>> loading(const TileGrid& grid, Factorization kind, const Scaling& scaling,
                                             const TreeShare* share) const override;

private:
    index_t order_;
};

}  // namespace frond::detail

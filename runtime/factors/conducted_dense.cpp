// SPDX-License-Identifier: BSD-3-Clause
#include "factors/conducted_dense.hpp"

#include "factors/conducted_operator.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::detail {
namespace {

template <class T>
std::shared_ptr<const DenseRanks<T>> conducted_dense() {
    return conducted_matrix<T>("dense", [](const OtherRanks<T>& others) { return others.dense_matrix(); });
}

}  // namespace

template <class T>
std::vector<T> ConductedDense<T>::diagonal() const {
    return conducted_dense<T>()->diagonal();
}

template <class T>
bool ConductedDense<T>::may_be_definite(const std::vector<double>& root) const {
    return conducted_dense<T>()->may_be_definite(root);
}

template <class T>
DenseMaxima ConductedDense<T>::maxima(const Scaling& scaling) const {
    return conducted_dense<T>()->maxima(scaling);
}

template <class T>
std::shared_ptr<const DenseOperator<T>> ConductedDense<T>::products(Operation op) const {
    return std::make_shared<const ConductedOperator<T>>(order_, [op] { return conducted_dense<T>()->products(op); });
}

template <class T>
index_t ConductedDense<T>::tile_of_layout() const {
    return conducted_dense<T>()->tile_of_layout();
}

template <class T>
std::unique_ptr<DenseLoading<T>> ConductedDense<T>::loading(const TileGrid& grid, Factorization kind,
                                                            const Scaling& scaling, const TreeShare* share) const {
    return conducted_dense<T>()->loading(grid, kind, scaling, share);
}

#define FROND_INSTANTIATE(T) template class ConductedDense<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

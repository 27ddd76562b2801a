// SPDX-License-Identifier: BSD-3-Clause
#include "factors/conducted_sparse.hpp"

#include "factors/conducted_operator.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::detail {
namespace {

template <class T>
std::shared_ptr<const SparseRanks<T>> conducted_sparse() {
    return conducted_matrix<T>("sparse", [](const OtherRanks<T>& others) { return others.sparse_matrix(); });
}

}  // namespace

template <class T>
std::shared_ptr<const DenseOperator<T>> ConductedSparse<T>::products(Operation op) const {
    return std::make_shared<const ConductedOperator<T>>(order_, [op] { return conducted_sparse<T>()->products(op); });
}

template <class T>
std::vector<index_t> ConductedSparse<T>::entries_of_rows(Operation op) const {
    return conducted_sparse<T>()->entries_of_rows(op);
}

template <class T>
double ConductedSparse<T>::bring_entries(T* mine) const {
    return conducted_sparse<T>()->bring_entries(mine);
}

#define FROND_INSTANTIATE(T) template class ConductedSparse<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

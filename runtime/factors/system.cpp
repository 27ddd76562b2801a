// SPDX-License-Identifier: BSD-3-Clause
#include "factors/system.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/matrix/operations.hpp"
#include "refinement/forward_error.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {

template <class T>
const DenseMatrixView<T>* System<T>::dense() const {
    if (const auto* const parts = std::get_if<PartOfDense<T>>(&form)) return &parts->part;
    return std::get_if<DenseMatrixView<T>>(&form);
}

template <class T>
const DenseRanks<T>* System<T>::dense_ranks() const {
    const auto* const parts = std::get_if<PartOfDense<T>>(&form);
    return parts == nullptr ? nullptr : parts->all.get();
}

template <class T>
const SparseRanks<T>* System<T>::sparse_ranks() const {
    const auto* const rows = std::get_if<std::shared_ptr<const SparseRanks<T>>>(&form);
    return rows == nullptr ? nullptr : rows->get();
}

template <class T>
const std::vector<double>& System<T>::solution_scale_under_lock(Operation op) const {
    const bool as_it_is = scaling->column.empty() && analysis->factorization == Factorization::llt &&
                          analysis->options.scaling == ScalingMethod::automatic;
    if (!as_it_is) return op == Operation::none ? scaling->column : scaling->row;
    if (!scale_of_unknowns_) scale_of_unknowns_ = scale_of_unknowns(*matrix);
    return *scale_of_unknowns_;
}

template <class T>
const std::vector<double>& System<T>::solution_scale(Operation op) const {
    const std::lock_guard lock(mutex_);
    return solution_scale_under_lock(op);
}

template <class T>
const LinearSystem<T>& System<T>::linear_system(Operation op) const {
    const std::lock_guard lock(mutex_);
    auto& kept = systems_[static_cast<std::size_t>(op)];
    if (kept == nullptr) {
        ProductOptions options;
        options.parallel_for = parallel_for_on(*session_, "residual");
        const std::vector<double>& scale = solution_scale_under_lock(op);
        kept = has_products_alone() ? std::make_unique<const LinearSystem<T>>(products(op), options, &scale)
                                    : std::make_unique<const LinearSystem<T>>(*matrix, op, options, &scale);
    }
    return *kept;
}

template <class T>
std::shared_ptr<const DenseOperator<T>> System<T>::products(Operation op) const {
    if (const SparseRanks<T>* const rows = sparse_ranks()) return rows->products(op);
    if (const DenseRanks<T>* const parts = dense_ranks()) return parts->products(op);
    return std::make_shared<const DenseProducts<T>>(*dense(), op);
}

template <class T>
std::vector<index_t> System<T>::entries_of_rows(Operation op) const {
    if (const SparseRanks<T>* const rows = sparse_ranks()) return rows->entries_of_rows(op);
    if (dense() == nullptr) return frond::entries_of_rows(*matrix, op);
    return std::vector<index_t>(static_cast<std::size_t>(analysis->order), analysis->order);
}

template <class T>
double System<T>::norm_1() const {
    if (!has_products_alone()) return matrix_norms(*matrix).one;
    const JobGuard guard(*session_);
    return linear_system(Operation::transpose).norm();
}

#define FROND_INSTANTIATE(T) template class System<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "factors/system.hpp"

#include "factors/other_ranks.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/operations.hpp"
#include "session/parallel_for.hpp"
#include "system/dense_operator.hpp"
#include "system/remote_operator.hpp"
#include "system/sparse_operator.hpp"

namespace frond::detail {

template <class T>
const DenseMatrixView<T>* System<T>::dense() const {
    if (const auto* const parts = std::get_if<PartOfDense<T>>(&form)) return &parts->part;
    return std::get_if<DenseMatrixView<T>>(&form);
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
    if (kept == nullptr) kept = std::make_unique<const LinearSystem<T>>(applied(op), &solution_scale_under_lock(op));
    return *kept;
}

template <class T>
std::shared_ptr<const Operator<T>> System<T>::applied(Operation op) const {
    ParallelFor parallel_for = parallel_for_on(*session_, "residual");
    const auto remote = [&](typename RemoteOperator<T>::Find find) {
        return std::make_shared<const RemoteOperator<T>>(analysis->order, op, std::move(find), std::move(parallel_for));
    };
    if (is_dense_of_ranks()) return remote(dense_of_ranks<T>);
    if (is_sparse_of_ranks()) return remote(rows_of_ranks<T>);
    if (dense() != nullptr) return std::make_shared<const DenseOperator<T>>(*dense(), op, std::move(parallel_for));
    return std::make_shared<const SparseOperator<T>>(*matrix, op, std::move(parallel_for));
}

template <class T>
double System<T>::norm_1() const {
    if (std::holds_alternative<std::monostate>(form)) return matrix_norms(*matrix).one;
    const JobGuard guard(*session_);
    return linear_system(Operation::transpose).norm();
}

#define FROND_INSTANTIATE(T) template class System<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

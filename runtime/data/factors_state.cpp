// SPDX-License-Identifier: BSD-3-Clause
#include "data/factors_state.hpp"

#include "frond/base/instantiate.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {

/// The scaling that the unknowns of op(A) had: columns', or rows' for the transposed systems.
template <class T>
const LinearSystem<T>& FactorsState<T>::system(Operation op) const {
    const std::lock_guard lock(mutex_);
    auto& kept = systems_[static_cast<std::size_t>(op)];
    if (kept == nullptr) {
        ProductOptions products;
        products.parallel_for = parallel_for_on(*session);
        kept = std::make_unique<const LinearSystem<T>>(
            *matrix, op, products, op == Operation::none ? &scaling.column : &scaling.row);
    }
    return *kept;
}

template <class T>
DeviceSolve<T>& FactorsState<T>::device_solve() const {
    const std::lock_guard lock(mutex_);
    if (device_solve_ == nullptr) device_solve_ = std::make_unique<DeviceSolve<T>>(*this);
    return *device_solve_;
}

#define FROND_INSTANTIATE(T) template class FactorsState<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

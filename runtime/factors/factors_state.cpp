// SPDX-License-Identifier: BSD-3-Clause
#include "factors/factors_state.hpp"

#include "frond/base/instantiate.hpp"

namespace frond::detail {

template <class T>
FactorsState<T>::~FactorsState() {
    const gpu::KeptDevice kept(session->has_devices());
    device_solve_.reset();
}

template <class T>
void FactorsState<T>::use_analysis(std::shared_ptr<const Analysis> other) {
    if (analysis == other) return;
    factors.analysis = std::move(other);
    const std::lock_guard lock(mutex_);
    device_solve_.reset();
}

#define FROND_INSTANTIATE(T) template class FactorsState<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

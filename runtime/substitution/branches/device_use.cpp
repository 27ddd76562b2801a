// SPDX-License-Identifier: BSD-3-Clause
// Factors of branches on a device, for substitutions of which each waits for other ranks.
#include <utility>

#include "factors/factors_state.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "substitution/device_solve.hpp"
#include "substitution/store_on_host.hpp"

namespace frond::detail {

/// Whoever comes second takes what is there: it has room for some right-hand sides at a time. One call at a time (place_mutex).
template <class T>
gpu::ResidentSolve<T>* DeviceSolve<T>::begin_use(index_t rhs, Operation op) {
    bool is_there = false;
    {
        const std::lock_guard lock(mutex_);
        is_there = uses_ > 0;
        if (is_there) ++uses_;
    }
    if (!is_there) {
        const Lease held = lease(rhs, SolvePlace::automatic);
        if (held.get() == nullptr) return nullptr;
        held.get()->reserve_copies();
        ++uses_;
    }
    try {
        if (op != Operation::none) prepare_on_device([&] { choose(*solve_, op); });
    } catch (...) {
        end_use(false);
        throw;
    }
    return solve_.get();
}

template <class T>
void DeviceSolve<T>::end_use(bool is_broken) noexcept {
    const std::lock_guard lock(mutex_);
    is_broken_ = is_broken_ || is_broken;
    if (--uses_ > 0) return;
    if (std::exchange(is_broken_, false)) let_go();
    unused_.notify_all();
}

template <class T>
void DeviceSolve<T>::wait_until_unused() {
    std::unique_lock lock(mutex_);
    unused_.wait(lock, [this] { return uses_ == 0; });
}

template <class T>
bool DeviceSolve<T>::leave_device() {
    const std::lock_guard lock(mutex_);
    if (uses_ > 0) return false;
    leave_to_session();
    const count_t bytes = state_.factors.parts.bytes_on_devices();
    if (bytes > 0 && !store_on_host(state_, nullptr))
        throw OutOfMemory("no room on the host for the factors of a rank's devices, which solves by ranks read there",
                          bytes);
    set_home_bytes(0);
    return true;
}

#define FROND_INSTANTIATE(T)                                                       \
    template gpu::ResidentSolve<T>* DeviceSolve<T>::begin_use(index_t, Operation); \
    template void DeviceSolve<T>::end_use(bool) noexcept;                          \
    template void DeviceSolve<T>::wait_until_unused();                             \
    template bool DeviceSolve<T>::leave_device();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

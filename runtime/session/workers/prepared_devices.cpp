// SPDX-License-Identifier: BSD-3-Clause
#include "session/workers/prepared_devices.hpp"

#include <algorithm>
#include <system_error>

namespace frond::detail {

void PreparedDevices::begin(Load load) {
    const std::lock_guard lock(mutex_);
    if (stop_ || std::find(begun_.begin(), begun_.end(), load) != begun_.end()) return;
    begun_.push_back(load);
    try {
        threads_.emplace_back(load, std::cref(stop_));
    } catch (const std::system_error&) {  // no more threads
    }
}

void PreparedDevices::stop() noexcept {
    stop_ = true;
    const std::lock_guard lock(mutex_);
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

}  // namespace frond::detail

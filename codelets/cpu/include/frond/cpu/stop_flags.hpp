// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace frond::cpu {

/// What asks a kernel to stop: any of the flags; null: never. They outlive the kernel's call.
class StopFlags {
public:
    StopFlags(const std::atomic<bool>* error = nullptr, const std::atomic<bool>* cancel = nullptr) noexcept
        : error_(error), cancel_(cancel) {}

    bool any() const noexcept { return is_set(error_) || is_set(cancel_); }

private:
    static bool is_set(const std::atomic<bool>* flag) noexcept {
        return flag != nullptr && flag->load(std::memory_order_relaxed);
    }

    const std::atomic<bool>* error_;
    const std::atomic<bool>* cancel_;
};

}  // namespace frond::cpu

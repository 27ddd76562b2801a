// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "frond/base/error.hpp"
#include "vendor.hpp"

namespace frond::gpu {

/// @throws DeviceError naming the call and what the vendor's runtime says of it
inline void check(FROND_GPU(Error_t) status, const char* call) {
    if (status == FROND_GPU(Success)) return;
    static_cast<void>(FROND_GPU(GetLastError)());  // else the next launch would be blamed for it
    throw DeviceError(std::string(call) + " failed on the device: " + FROND_GPU(GetErrorString)(status));
}

/// Destructors use it: what fails there must not be blamed on the next launch.
inline void ignore(FROND_GPU(Error_t) status) noexcept {
    if (status != FROND_GPU(Success)) static_cast<void>(FROND_GPU(GetLastError)());
}

/// Checks a kernel launch, right after it.
inline void check_launch(const char* kernel) { check(FROND_GPU(GetLastError)(), kernel); }

}  // namespace frond::gpu

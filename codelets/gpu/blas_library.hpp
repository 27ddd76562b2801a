// SPDX-License-Identifier: BSD-3-Clause
// The vendor's BLAS, loaded when a device is first used: programs with Frond start without it, as
// they must where there is no card of that vendor.
#pragma once

#include "blas_names.hpp"
#include "vendor.hpp"

#include <string>

namespace frond::gpu {

using BlasHandle = BlasNames::Handle;

/// The entry points that Frond calls.
struct BlasLibrary {
#define FROND_MEMBER(member, name) decltype(&name) member = nullptr;
    FROND_BLAS_ENTRY_POINTS(FROND_MEMBER)
#undef FROND_MEMBER
};

/// @throws DeviceError  the library is not installed or lacks an entry point
const BlasLibrary& blas_library();

/// Empty when blas_library() succeeds, else why not.
std::string blas_library_missing();

/// @throws DeviceError with the library's own text of the status
void check_blas(BlasNames::Status status, const char* call);

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blas_library.hpp"

namespace frond::gpu {

/// A handle of the current device, with sums in a fixed order and no stream yet: one that was kept, or a new one, which takes
/// 2 ms on an H200. @throws DeviceError
BlasHandle take_blas_handle();

/// For the next one who takes one there, or for none, where enough are kept. The current device is the handle's.
void keep_blas_handle(BlasHandle handle) noexcept;

/// While nobody uses any, before the devices' runtime ends.
void destroy_kept_blas_handles() noexcept;

}  // namespace frond::gpu

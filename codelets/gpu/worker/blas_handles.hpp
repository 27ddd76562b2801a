// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blas_library.hpp"

namespace frond::gpu {

/// A handle of the current device, with sums in a fixed order and no stream yet: one that was kept, or a new one, which takes
/// 2 ms on an H200. @throws DeviceError
BlasHandle take_blas_handle();

/// Keeps the handle for the next call of take_blas_handle() there, or destroys it if enough are kept. The current
/// device is the handle's.
void keep_blas_handle(BlasHandle handle) noexcept;

/// Destroys the kept handles before the devices' runtime ends, while nobody uses any.
void destroy_kept_blas_handles() noexcept;

}  // namespace frond::gpu

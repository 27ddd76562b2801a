// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "frond/base/types.hpp"

namespace frond::gpu {

/// Loads the code of all kernels of T onto the devices of the session, and what BLAS needs for its products of T. Else the
/// vendor's runtime loads each when it is first used, and recording waits for that: some 30 ms of the first factorization
/// on an H200. For a thread of its own, while StarPU runs. Ends early once `stop` is true. What cannot be loaded here
/// is reported by its first use.
/// @return how many kernels were loaded, on all devices together
template <class T>
count_t load_kernels(const std::atomic<bool>& stop) noexcept;

}  // namespace frond::gpu

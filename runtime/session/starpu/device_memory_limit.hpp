// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "frond/base/error.hpp"
#include "frond/base/types.hpp"
#include "session/starpu/scoped_environment.hpp"

namespace frond::detail {

constexpr count_t mebibyte = count_t{1} << 20;

/// @throws InvalidArgument
inline void expect_device_memory_limit(count_t bytes) {
    if (bytes == 0 || bytes >= mebibyte) return;
    throw InvalidArgument("gpu_memory_bytes = " + std::to_string(bytes) +
                          "; it must be 0 (all of it) or at least a mebibyte, 1048576");
}

/// StarPU's limits of the memory of devices, which only its environment can give, while it starts. 0: StarPU's own.
inline void limit_device_memory(ScopedEnvironment& environment, count_t bytes) {
    if (bytes == 0) return;
    for (const char* const name : {"STARPU_LIMIT_CUDA_MEM", "STARPU_LIMIT_HIP_MEM"})
        environment.set(name, std::to_string(bytes / mebibyte));
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frond/base/error.hpp"
#include "frond/base/types.hpp"

namespace frond::detail {

/// StarPU's limits of the memory of devices, which only its environment can give, while it starts.
class DeviceMemoryLimit {
public:
    /// @throws InvalidArgument
    static void check(count_t bytes) {
        if (bytes == 0 || bytes >= mebibyte) return;
        throw InvalidArgument("gpu_memory_bytes = " + std::to_string(bytes) +
                              "; it must be 0 (all of it) or at least a mebibyte, 1048576");
    }

    /// 0: StarPU's own.
    explicit DeviceMemoryLimit(count_t bytes) {
        if (bytes == 0) return;
        for (const char* const name : {"STARPU_LIMIT_CUDA_MEM", "STARPU_LIMIT_HIP_MEM"}) {
            const char* const value = std::getenv(name);
            before_.emplace_back(name, value == nullptr ? std::nullopt : std::optional<std::string>(value));
            setenv(name, std::to_string(bytes / mebibyte).c_str(), 1);
        }
    }
    DeviceMemoryLimit(const DeviceMemoryLimit&) = delete;
    DeviceMemoryLimit& operator=(const DeviceMemoryLimit&) = delete;
    ~DeviceMemoryLimit() {
        for (const auto& [name, value] : before_) value ? setenv(name, value->c_str(), 1) : unsetenv(name);
    }

private:
    static constexpr count_t mebibyte = count_t{1} << 20;
    std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

}  // namespace frond::detail

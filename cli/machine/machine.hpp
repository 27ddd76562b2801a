// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace frond::cli {

struct Processor {
    std::string name;  // "AMD EPYC 9755"
    int cores = 0;  // that this process may use
    bool has_avx512 = false;
};

/// A graphics processor that the system knows of, whether or not StarPU drives it.
struct Gpu {
    std::string vendor;  // "NVIDIA", "AMD"
    std::string name;
    index_t number = 0;  // among those of its vendor
};

/// root: "/" (tests give a folder of their own).
Processor read_processor(const std::filesystem::path& root = "/");

/// NVIDIA: /proc/driver/nvidia/gpus/*/information, else /dev/nvidia0, 1, ...; AMD: the nodes of
/// /sys/class/kfd that have compute units. No vendor library is asked.
std::vector<Gpu> find_gpus(const std::filesystem::path& root = "/");

}  // namespace frond::cli

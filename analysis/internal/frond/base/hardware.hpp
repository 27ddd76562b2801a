// SPDX-License-Identifier: BSD-3-Clause
// What the system says of its processor and its cards.
#pragma once

#include "frond/base/types.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace frond {

// root: "/" (tests give a folder of their own).

/// "AMD EPYC 9755"; "unknown" where the system does not say.
std::string processor_name(const std::filesystem::path& root = "/");

/// A graphics processor that the system knows of, whether or not StarPU drives it.
struct Gpu {
    std::string vendor;  // "NVIDIA", "AMD"
    std::string name;
    index_t number = 0;  // among those of its vendor
};

/// NVIDIA: /proc/driver/nvidia/gpus/*/information, else /dev/nvidia0, 1, ...; AMD: the nodes of
/// /sys/class/kfd that have compute units. No vendor library is asked.
std::vector<Gpu> find_gpus(const std::filesystem::path& root = "/");

}  // namespace frond

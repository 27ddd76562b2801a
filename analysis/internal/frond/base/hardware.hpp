// SPDX-License-Identifier: BSD-3-Clause
// What this machine gives to this process: processors, cores, memory.
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

/// Cores that the calling thread may keep busy, and with it what it starts: those that it may run on, and no more than
/// the quota of processor time of its control groups, to the nearest whole number, at least 1. 0: unknown.
/// system_folder: as in control_group_free_bytes().
index_t usable_cores(const std::string& system_folder = "") noexcept;

/// min over the groups of limit - (used - page cache and slabs that can be reclaimed), not below 0;
/// the largest count_t where no group has a limit. Groups share their limits with other processes.
/// system_folder: stands in front of /proc and of the mount points; for tests.
count_t control_group_free_bytes(const std::string& system_folder = "");

/// min over the groups of quota / period of processor time, in cores; infinite where no group has a
/// quota.
double control_group_cores(const std::string& system_folder = "");

}  // namespace frond

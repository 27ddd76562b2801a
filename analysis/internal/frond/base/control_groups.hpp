// SPDX-License-Identifier: BSD-3-Clause
// What the control groups of this process leave to it: its own group's limits and those of every
// group above, of version 1 and of version 2, mounted side by side or alone.
#pragma once

#include "frond/base/types.hpp"

#include <string>

namespace frond {

/// min over the groups of limit - (used - page cache and slabs that can be reclaimed), not below 0;
/// the largest count_t where no group has a limit. Groups share their limits with other processes.
/// system_folder: stands in front of /proc and of the mount points; for tests.
count_t control_group_free_bytes(const std::string& system_folder = "");

/// min over the groups of quota / period of processor time, in cores; infinite where no group has a
/// quota.
double control_group_cores(const std::string& system_folder = "");

}  // namespace frond

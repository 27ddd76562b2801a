// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/usable_cores.hpp"

#include "frond/base/control_groups.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <sched.h>

namespace frond {
namespace {

/// Threads beyond a quota are stopped together for the rest of each period, in the middle of their
/// tasks; threads below it leave time unused. The nearest number keeps both below half a core.
index_t within_quota(index_t cores, double quota) {
    return quota < cores ? std::max(static_cast<index_t>(std::lround(quota)), 1) : cores;
}

}  // namespace

index_t usable_cores(const std::string& system_folder) noexcept {
    cpu_set_t set;
    CPU_ZERO(&set);
    const index_t cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    try {
        return within_quota(cores, control_group_cores(system_folder));
    } catch (const std::exception&) {  // no memory to read the files with
        return cores;
    }
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <string>
#include <vector>

namespace frond::detail {

/// The cores that the calling thread may run on, and with it what it starts. A core with several
/// hardware threads counts once.
struct UsableCores {
    /// The first processor of each, as the system counts them; those of a package stand together.
    /// Empty: unknown.
    std::vector<int> processors;
    /// Hardware threads of the core that has most of them for the calling thread.
    index_t threads = 1;
    /// Processors of the machine that the calling thread may not run on: somebody gave it cores of
    /// its own (taskset, a cpuset, a batch system).
    bool are_own = false;
};

/// system_folder: stands in front of /sys; for tests.
UsableCores usable_core_list(const std::string& system_folder = "");

} // namespace frond::detail

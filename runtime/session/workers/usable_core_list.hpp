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
    /// All processors that the calling thread may run on: those cores' hardware threads.
    std::vector<int> hardware_threads;
    /// Hardware threads of the core that has most of them for the calling thread.
    index_t threads = 1;
    /// There are processors of the machine that the calling thread may not run on: somebody chose
    /// its cores (taskset, a cpuset, a batch system), for it alone or for others, too.
    bool are_part = false;
};

/// system_folder: stands in front of /sys; for tests.
UsableCores usable_core_list(const std::string& system_folder = "");

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// Whether others compute on the cores of this process.
#pragma once

#include "session/workers/usable_core_list.hpp"

#include <functional>
#include <string>

namespace frond::detail {

/// From /proc/loadavg: threads of the machine other than the calling one that run or wait for a core;
/// 0: unknown. system_folder: stands in front of /proc; for tests.
index_t running_threads_of_machine(const std::string& system_folder = "");

/// How many of the processors did something for at least half of the time that wait() took, by
/// /proc/stat, which counts in hundredths of a second. Who shares a processor with the calling
/// thread is seen where wait() sleeps. 0: unknown.
index_t busy_processors(const std::vector<int>& processors, const std::function<void()>& wait,
                        const std::string& system_folder = "");

/// Threads other than the calling one that run on these cores, as far as can be told: those of the
/// machine where the cores are all of it, else the processors that are busy. Takes some hundredths
/// of a second where the cores are a part of the machine and somebody runs on the machine.
index_t others_on(const UsableCores& cores);

}  // namespace frond::detail

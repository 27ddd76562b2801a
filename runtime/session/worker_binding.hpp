// SPDX-License-Identifier: BSD-3-Clause
// Whether each worker stays on a core of its own.
#pragma once

#include "frond/base/types.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace frond::detail {

/// What the choice depends on.
struct BindingFacts {
    index_t threads =
        0; // that work at the same time: workers of cores and cards, with cards the caller
    index_t cores = 0; // that the process may run on
    bool cores_are_own =
        false; // of the cores of the machine they are a part that somebody gave to this process
    index_t others_running =
        0; // threads of the machine beside the calling one that run or wait for a core
    bool starpus_choice =
        false; // STARPU_WORKERS_NOBIND, STARPU_WORKERS_CPUID or STARPU_WORKERS_COREID is set
};

enum class WorkerBinding : std::uint8_t {
    by_starpu,
    one_core_each,
    not_a_thread_per_core,
    others_run
};

/// Threads that take every core of the process, one each, are bound, so that none moves. Fewer
/// threads are not: another job would choose the same cores, while the system knows which are free.
/// Where the whole machine is there for everybody, threads are not bound either when others run on
/// it.
WorkerBinding choose_binding(const BindingFacts& facts) noexcept;

/// For SessionInfo: "one core each", "none: ...".
const char* to_string(WorkerBinding binding) noexcept;

/// From /proc/loadavg; 0: unknown. system_folder: stands in front of /proc; for tests.
index_t other_running_threads(const std::string& system_folder = "");

/// Worker k of the cores stays on processors[k] from now on. Call it while StarPU runs and is not
/// paused. Where the system refuses, a worker stays as it was.
void bind_cpu_workers(const std::vector<int>& processors);

} // namespace frond::detail

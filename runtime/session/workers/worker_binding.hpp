// SPDX-License-Identifier: BSD-3-Clause
// Whether each worker stays on a core of its own.
#pragma once

#include "frond/base/types.hpp"

#include <cstdint>
#include <vector>

namespace frond::detail {

/// What the choice depends on.
struct BindingFacts {
    index_t threads = 0;  // that work at the same time: workers of cores and cards, with cards the caller
    index_t cores = 0;  // that the process may run on; 0: unknown
    index_t others_running = 0;  // see session/workers/running_threads.hpp
    bool wanted = true;  // false: the tuning of this machine leaves them to the system
    bool starpus_choice = false;  // STARPU_WORKERS_NOBIND, STARPU_WORKERS_CPUID or STARPU_WORKERS_COREID is set
};

enum class WorkerBinding : std::uint8_t {
    by_starpu,
    one_core_each,
    not_a_thread_per_core,
    others_run,
    refused,
    by_tuning
};

/// Threads that take every core of the process, one each, are bound, so that none moves. Fewer
/// threads are not: another job would choose the same cores, while the system knows which are free.
/// Nor are threads bound when others run on these cores.
WorkerBinding choose_binding(const BindingFacts& facts) noexcept;

/// Whether StarPU is to bind them, from its first core on and those of cards; else Frond binds
/// those of cores, and the system places those of cards where there is room. part: the cores are a
/// part of the machine. StarPU takes the whole machine for any part that has gaps.
bool starpu_binds_workers(WorkerBinding binding, index_t cards, bool part) noexcept;

/// The text of SessionInfo: "one core each", "none: ...".
const char* to_string(WorkerBinding binding) noexcept;

/// Worker k of the cores stays on processors[k] from now on; how many do. Call it while StarPU runs
/// and is not paused. Where the system refuses, a worker stays as it was.
index_t bind_cpu_workers(const std::vector<int>& processors);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "session/worker_binding.hpp"

#include <starpu.h>

#include <algorithm>
#include <fstream>
#include <sched.h>

namespace frond::detail {
namespace {

struct Places {
    std::vector<int> workers; // StarPU's numbers of the workers of cores
    const std::vector<int>& processors;
};

void stay_in_place(void* raw) noexcept {
    const Places& places = *static_cast<const Places*>(raw);
    const auto worker =
        std::find(places.workers.begin(), places.workers.end(), starpu_worker_get_id());
    if (worker == places.workers.end()) return;
    const auto k = static_cast<std::size_t>(worker - places.workers.begin());
    cpu_set_t set;
    CPU_ZERO(&set);
    if (k < places.processors.size()) CPU_SET(places.processors[k], &set);
    sched_setaffinity(0, sizeof set,
                      &set); // refused: no processor is left for it, or it was taken away meanwhile
}

} // namespace

WorkerBinding choose_binding(const BindingFacts& facts) noexcept {
    if (facts.starpus_choice) return WorkerBinding::by_starpu;
    if (facts.threads != facts.cores) return WorkerBinding::not_a_thread_per_core;
    if (!facts.cores_are_own && facts.others_running > 0) return WorkerBinding::others_run;
    return WorkerBinding::one_core_each;
}

const char* to_string(WorkerBinding binding) noexcept {
    switch (binding) {
    case WorkerBinding::by_starpu:
        return "StarPU's, by its variables";
    case WorkerBinding::one_core_each:
        return "one core each";
    case WorkerBinding::not_a_thread_per_core:
        return "none: not a worker for each core";
    case WorkerBinding::others_run:
        return "none: other threads run on these cores";
    }
    return "unknown";
}

index_t other_running_threads(const std::string& system_folder) {
    std::ifstream file(system_folder + "/proc/loadavg");
    double average = 0;
    index_t running = 0; // the calling thread is one of them
    return file >> average >> average >> average >> running ? std::max(running - 1, 0) : 0;
}

void bind_cpu_workers(const std::vector<int>& processors) {
    const unsigned count = starpu_cpu_worker_get_count();
    if (count == 0) return;
    Places places{std::vector<int>(count), processors};
    starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, places.workers.data(), count);
    starpu_execute_on_each_worker(stay_in_place, &places, STARPU_CPU);
}

} // namespace frond::detail

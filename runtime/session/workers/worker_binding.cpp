// SPDX-License-Identifier: BSD-3-Clause
#include "session/workers/worker_binding.hpp"

#include <starpu.h>

#include <algorithm>
#include <atomic>
#include <sched.h>

namespace frond::detail {
namespace {

struct Places {
    std::vector<int> workers;  // StarPU's numbers of the workers of cores
    const std::vector<int>& processors;
    std::atomic<index_t> bound{0};
};

void stay_in_place(void* raw) noexcept {
    Places& places = *static_cast<Places*>(raw);
    const auto worker = std::find(places.workers.begin(), places.workers.end(), starpu_worker_get_id());
    if (worker == places.workers.end()) return;
    const auto k = static_cast<std::size_t>(worker - places.workers.begin());
    if (k >= places.processors.size()) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(places.processors[k], &set);
    // Refused where the processor was taken away meanwhile, or the call is forbidden.
    if (sched_setaffinity(0, sizeof set, &set) == 0) ++places.bound;
}

}  // namespace

WorkerBinding choose_binding(const BindingFacts& facts) noexcept {
    if (facts.starpus_choice) return WorkerBinding::by_starpu;
    if (!facts.wanted) return WorkerBinding::by_tuning;
    if (facts.cores == 0 || facts.threads != facts.cores) return WorkerBinding::not_a_thread_per_core;
    if (facts.others_running > 0) return WorkerBinding::others_run;
    return WorkerBinding::one_core_each;
}

bool starpu_binds_workers(WorkerBinding binding, index_t cards, bool part) noexcept {
    return binding == WorkerBinding::by_starpu || (binding == WorkerBinding::one_core_each && cards > 0 && !part);
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
        case WorkerBinding::refused:
            return "not of every worker: the system refused";
        case WorkerBinding::by_tuning:
            return "none: by the tuning of this machine";
    }
    return "unknown";
}

index_t bind_cpu_workers(const std::vector<int>& processors) {
    const unsigned count = starpu_cpu_worker_get_count();
    if (count == 0) return 0;
    Places places{std::vector<int>(count), processors, {}};
    starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, places.workers.data(), count);
    starpu_execute_on_each_worker(stay_in_place, &places, STARPU_CPU);
    return places.bound;
}

}  // namespace frond::detail

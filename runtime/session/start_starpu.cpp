// SPDX-License-Identifier: BSD-3-Clause
#include "session/start_starpu.hpp"

#include "frond/base/error.hpp"
#include "frond/base/usable_cores.hpp"
#include "frond/gpu/devices.hpp"
#include "session/device_memory_limit.hpp"
#include "session/starpu_surroundings.hpp"
#include "session/usable_core_list.hpp"
#include "session/worker_counts.hpp"

#include <starpu.h>

#include <algorithm>
#include <cerrno>

namespace frond::detail {
namespace {

/// Frond's options come before StarPU's variables.
void adapt_variables(ScopedEnvironment& environment, const SessionOptions& options, index_t gpus) {
    if (options.cpu_workers > 0)
        for (const char* name : {"STARPU_NCPU", "STARPU_NCPUS", "STARPU_RESERVE_NCPU"})
            environment.hide(name);
    if (options.gpus >= 0)
        for (const char* name : {"STARPU_NCUDA", "STARPU_NHIP"}) environment.hide(name);
    environment.hide("STARPU_SCHED");
    if (gpus == 0) return;
    limit_device_memory(environment, options.gpu_memory_bytes);
    // StarPU has no other way to ask for several workers a card, and takes one of the last two.
    environment.set_default("STARPU_NWORKER_PER_CUDA",
                            std::to_string(workers_of_card(usable_cores())));
    if (!environment_value("STARPU_CUDA_THREAD_PER_DEV"))
        environment.set_default("STARPU_CUDA_THREAD_PER_WORKER", "1");
}

WorkerFacts worker_facts(const SessionOptions& options, const starpu_conf& conf, index_t gpus,
                         const UsableCores& cores) {
    WorkerFacts facts;
    facts.asked = options.cpu_workers;
    facts.by_variable = conf.ncpus;
    facts.reserved = conf.reserve_ncpus;
    facts.cards = gpus;
    facts.cores = static_cast<index_t>(cores.processors.size());
    facts.usable = usable_cores();
    facts.threads_per_core = std::max(starpu_get_env_number("STARPU_NTHREADS_PER_CORE"), 1);
    if (facts.threads_per_core > cores.threads)
        throw InvalidArgument(
            "STARPU_NTHREADS_PER_CORE = " + std::to_string(facts.threads_per_core) +
            " is more than the hardware threads of a core that this process may use (" +
            std::to_string(cores.threads) + "); correct the variable or unset it");
    return facts;
}

BindingFacts binding_facts(const WorkerPlan& plan, const UsableCores& cores) {
    BindingFacts facts;
    facts.threads = plan.threads;
    facts.cores = static_cast<index_t>(cores.processors.size());
    facts.cores_are_own = cores.are_own;
    facts.others_running = other_running_threads();
    for (const char* name :
         {"STARPU_WORKERS_NOBIND", "STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID"})
        facts.starpus_choice = facts.starpus_choice || environment_value(name).has_value();
    return facts;
}

} // namespace

void expect_started(int status) {
    if (status == 0) return;
    throw RuntimeError("starpu_init failed with code " + std::to_string(status) +
                       (status == -ENODEV ? " (no worker could be started); check STARPU_NCPU"
                                          : "; STARPU_SILENT=0 shows what StarPU prints"));
}

WorkerBinding start_starpu(const SessionOptions& options, const std::string& scheduler,
                           index_t gpus) {
    StarpuSurroundings surroundings;
    adapt_variables(surroundings.environment(), options, gpus);
    const UsableCores cores = usable_core_list();
    starpu_conf conf;
    const int status = starpu_conf_init(&conf);
    if (status != 0)
        throw RuntimeError("starpu_conf_init failed with code " + std::to_string(status));
    const WorkerPlan plan = plan_workers(worker_facts(options, conf, gpus, cores));
    conf.catch_signals = 0;
    conf.ncpus = std::min<int>(plan.cpu_workers, std::min(STARPU_MAXCPUS, STARPU_NMAXWORKERS));
    conf.reserve_ncpus = plan.reserved > 0 ? plan.reserved : -1;
    conf.ncuda = gpu::vendor_of_build() == DeviceVendor::nvidia ? gpus : 0;
    conf.nhip = gpu::vendor_of_build() == DeviceVendor::amd ? gpus : 0;
    conf.nopencl = 0;
    conf.sched_policy_name = scheduler.c_str();
    const WorkerBinding binding = choose_binding(binding_facts(plan, cores));
    const bool starpu_binds =
        binding == WorkerBinding::by_starpu ||
        (binding == WorkerBinding::one_core_each && conf.ncuda + conf.nhip > 0);
    if (!starpu_binds) surroundings.environment().set("STARPU_WORKERS_NOBIND", "1");
    expect_started(starpu_init(&conf));
    if (!starpu_binds && binding == WorkerBinding::one_core_each)
        bind_cpu_workers(cores.processors);
    surroundings.keep_measurement();
    return binding;
}

} // namespace frond::detail

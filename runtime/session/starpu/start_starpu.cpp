// SPDX-License-Identifier: BSD-3-Clause
#include "session/starpu/start_starpu.hpp"

#include "frond/base/error.hpp"
#include "frond/base/hardware.hpp"
#include "frond/codelets/simulated_machine.hpp"
#include "frond/codelets/simulation.hpp"
#include "frond/gpu/devices.hpp"
#include "session/starpu/device_memory_limit.hpp"
#include "session/workers/running_threads.hpp"
#include "session/starpu/starpu_surroundings.hpp"
#include "session/starpu/starpu_variables.hpp"
#include "session/workers/usable_core_list.hpp"
#include "session/workers/worker_counts.hpp"

#include <starpu.h>

#include <algorithm>
#include <cerrno>

namespace frond::detail {
namespace {

/// Frond's options come before StarPU's variables.
void adapt_variables(ScopedEnvironment& environment, const StarpuPlan& plan) {
    for (const char* name : hidden_variables(plan.options)) environment.hide(name);
    if (plan.gpus.empty()) {
        environment.set_default("HWLOC_COMPONENTS", "-pci");  // whose plug-in loses 0.75 MB each time (hwloc 2.9.0)
        return;
    }
    limit_device_memory(environment, plan.options.gpu_memory_bytes);
    const index_t per_card = plan.workers_per_card > 0 ? plan.workers_per_card : workers_of_card(usable_cores());
    // StarPU has no other way to ask for several workers a card, and takes one of the last two.
    environment.set_default("STARPU_NWORKER_PER_CUDA", std::to_string(per_card));
    if (!environment_value("STARPU_CUDA_THREAD_PER_DEV")) environment.set_default("STARPU_CUDA_THREAD_PER_WORKER", "1");
}

/// StarPU has one worker a card of AMD.
index_t asked_threads_of_card() {
    if (gpu::vendor_of_build() == DeviceVendor::amd) return 1;
    if (starpu_get_env_number("STARPU_CUDA_THREAD_PER_DEV") == 1) return 1;
    return std::max(starpu_get_env_number("STARPU_NWORKER_PER_CUDA"), 0);
}

/// Variables that the option overrules are not read.
WorkerFacts worker_facts(const SessionOptions& options, index_t gpus, const UsableCores& cores) {
    WorkerFacts facts;
    facts.asked = options.cpu_workers;
    if (facts.asked == 0) {
        facts.by_variable = starpu_get_env_number("STARPU_NCPU");
        if (facts.by_variable < 0) facts.by_variable = starpu_get_env_number("STARPU_NCPUS");
        facts.reserved = starpu_get_env_number("STARPU_RESERVE_NCPU");
    }
    facts.cards = gpus;
    if (gpus > 0) facts.per_card = asked_threads_of_card();
    facts.cores = static_cast<index_t>(cores.processors.size());
    facts.usable = usable_cores();
    facts.most = std::min(STARPU_MAXCPUS, STARPU_NMAXWORKERS);
    facts.threads_per_core = std::max(starpu_get_env_number("STARPU_NTHREADS_PER_CORE"), 1);
    if (facts.threads_per_core > cores.threads)
        throw InvalidArgument("STARPU_NTHREADS_PER_CORE = " + std::to_string(facts.threads_per_core) +
                              " is more than the hardware threads of a core that this process may use (" +
                              std::to_string(cores.threads) + "); correct the variable or unset it");
    return facts;
}

BindingFacts binding_facts(const WorkerPlan& plan, const UsableCores& cores, bool wanted) {
    BindingFacts facts;
    facts.wanted = wanted;
    facts.threads = plan.threads;
    facts.cores = static_cast<index_t>(cores.processors.size());
    for (const char* name : {"STARPU_WORKERS_NOBIND", "STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID"})
        facts.starpus_choice = facts.starpus_choice || environment_value(name).has_value();
    // Asked for where it matters alone, since it may take a while.
    if (choose_binding(facts) == WorkerBinding::one_core_each) facts.others_running = others_on(cores);
    return facts;
}

/// StarPU takes the reserved cores off the workers that are asked for.
std::string cure_without_workers(const starpu_conf* conf) {
    if (conf == nullptr || conf->ncpus <= 0 || conf->reserve_ncpus < conf->ncpus) return "check STARPU_NCPU";
    return "STARPU_RESERVE_NCPU = " + std::to_string(conf->reserve_ncpus) + " leaves no worker of " +
           std::to_string(conf->ncpus) + "; lower the variable or unset it";
}

}  // namespace

void shut_down_starpu() {
    const gpu::KeptDevice kept(starpu_cuda_worker_get_count() + starpu_hip_worker_get_count() > 0);
    starpu_shutdown();
}

StartedStarpu::~StartedStarpu() {
    if (paused_) starpu_resume();
    if (running_) shut_down_starpu();
}

void StartedStarpu::start(starpu_conf* conf) {
    const int status = starpu_init(conf);
    if (status != 0)
        throw RuntimeError("starpu_init failed with code " + std::to_string(status) +
                           (status == -ENODEV ? " (no worker could be started); " + cure_without_workers(conf)
                                              : "; STARPU_SILENT=0 shows what StarPU prints"));
    running_ = true;
}

void StartedStarpu::pause() noexcept {
    starpu_pause();
    paused_ = true;
}

void StartedStarpu::release() noexcept { running_ = paused_ = false; }

namespace {

/// The workers that the machine would have if Frond had it for itself.
index_t simulated_cpu_workers(const SessionOptions& options, index_t gpus) {
    const index_t cores = simulated_hardware().cores;
    WorkerFacts facts;
    facts.asked = options.cpu_workers;
    facts.by_variable = -1;
    facts.cards = gpus;
    if (gpus > 0) facts.per_card = workers_of_card(cores);
    facts.cores = facts.usable = cores;
    facts.most = std::min(STARPU_MAXCPUS, STARPU_NMAXWORKERS);
    facts.threads_per_core = 1;
    return plan_workers(facts).cpu_workers;
}

/// The machine and its files are what the process was started with (STARPU_PERF_MODEL_DIR, STARPU_HOSTNAME).
void start_simulated(const SessionOptions& options, const std::string& scheduler, index_t gpus,
                     StartedStarpu& started) {
    ScopedEnvironment environment;
    if (gpus > 0) {
        limit_device_memory(environment, options.gpu_memory_bytes);
        environment.set_default("STARPU_NWORKER_PER_CUDA", std::to_string(workers_of_card(simulated_hardware().cores)));
        environment.set_default("STARPU_CUDA_THREAD_PER_WORKER", "1");
    }
    starpu_conf conf;
    const int status = starpu_conf_init(&conf);
    if (status != 0) throw RuntimeError("starpu_conf_init failed with code " + std::to_string(status));
    conf.catch_signals = 0;
    conf.ncpus = simulated_cpu_workers(options, gpus);
    conf.ncuda = gpus;
    conf.nhip = conf.nopencl = 0;
    conf.sched_policy_name = scheduler.c_str();
    started.start(&conf);
}

}  // namespace

namespace {

/// Unless STARPU_WORKERS_CUDAID or STARPU_WORKERS_HIPID do.
void choose_devices(starpu_conf& conf, const std::vector<int>& gpus) {
    const bool is_amd = gpu::vendor_of_build() == DeviceVendor::amd;
    if (gpus.empty() || environment_value(is_amd ? "STARPU_WORKERS_HIPID" : "STARPU_WORKERS_CUDAID")) return;
    (is_amd ? conf.use_explicit_workers_hip_gpuid : conf.use_explicit_workers_cuda_gpuid) = 1;
    unsigned* const ids = is_amd ? conf.workers_hip_gpuid : conf.workers_cuda_gpuid;
    for (std::size_t k = 0; k < STARPU_NMAXWORKERS; ++k) ids[k] = static_cast<unsigned>(gpus[k % gpus.size()]);
}

}  // namespace

index_t planned_cpu_workers(const SessionOptions& options) {
    const WorkerPlan plan = plan_workers(worker_facts(options, 0, usable_core_list()));
    return plan.cpu_workers - plan.reserved;
}

bool will_be_traced() {
#ifdef STARPU_USE_FXT
    return starpu_get_env_number("STARPU_FXT_TRACE") > 0;
#else
    return false;
#endif
}

bool starts_simulation() { return is_simulation; }

WorkerBinding start_starpu(const StarpuPlan& wanted, StartedStarpu& started) {
    const auto gpus = static_cast<index_t>(wanted.gpus.size());
    if constexpr (is_simulation) {
        start_simulated(wanted.options, wanted.scheduler, gpus, started);
        return WorkerBinding::one_core_each;
    }
    StarpuSurroundings surroundings;
    adapt_variables(surroundings.environment(), wanted);
    const UsableCores cores = usable_core_list();
    starpu_conf conf;
    const int status = starpu_conf_init(&conf);
    if (status != 0) throw RuntimeError("starpu_conf_init failed with code " + std::to_string(status));
    const WorkerPlan plan = plan_workers(worker_facts(wanted.options, gpus, cores));
    conf.catch_signals = 0;
    conf.ncpus = plan.cpu_workers;
    conf.reserve_ncpus = plan.reserved > 0 ? plan.reserved : -1;
    conf.ncuda = gpu::vendor_of_build() == DeviceVendor::nvidia ? gpus : 0;
    conf.nhip = gpu::vendor_of_build() == DeviceVendor::amd ? gpus : 0;
    conf.nopencl = 0;
    choose_devices(conf, wanted.gpus);
    conf.sched_policy_name = wanted.scheduler.c_str();
    const WorkerBinding binding = choose_binding(binding_facts(plan, cores, wanted.bind_workers));
    const bool starpu_binds = starpu_binds_workers(binding, conf.ncuda + conf.nhip, cores.are_part);
    if (!starpu_binds) surroundings.environment().set("STARPU_WORKERS_NOBIND", "1");
    started.start(&conf);
    surroundings.keep_measurement();
    if (starpu_binds || binding != WorkerBinding::one_core_each) return binding;
    const auto workers = static_cast<index_t>(starpu_cpu_worker_get_count());
    return bind_cpu_workers(cores.processors) == workers ? binding : WorkerBinding::refused;
}

}  // namespace frond::detail

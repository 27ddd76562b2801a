// SPDX-License-Identifier: BSD-3-Clause
// Starting StarPU or joining that of the application, and what workers and devices it then has.
#include <starpu.h>

#include <algorithm>
#include <cstdlib>

#include "frond/base/error.hpp"
#include "frond/codelets/simulation.hpp"
#include "frond/gpu/devices.hpp"
#include "session/workers/blas_threads.hpp"
#include "session/starpu/scheduler_choice.hpp"
#include "session/session_state.hpp"
#include "session/starpu/start_starpu.hpp"
#include "session/starpu/startable.hpp"
#include "session/workers/worker_binding.hpp"

namespace frond::detail {
namespace {

bool has_device_workers() { return starpu_cuda_worker_get_count() + starpu_hip_worker_get_count() > 0; }

}  // namespace

/// Once a process, and quick; results of deterministic runs do not depend on it.
void SessionState::measure_rates() {
    const int before = set_blas_threads(1);
    gpu::measure_rates();
    set_blas_threads(before);
}

void SessionState::look_at_workers() {
    cpu_workers_ = static_cast<index_t>(starpu_cpu_worker_get_count());
    if (cpu_workers_ == 0) throw RuntimeError("StarPU has no CPU worker; unset STARPU_NCPU=0 or give it a core");
    const starpu_sched_policy* policy = starpu_sched_get_sched_policy();
    scheduler_ = policy != nullptr && policy->policy_name != nullptr ? policy->policy_name : "unknown";
    if (!has_device_workers() && emulated_gpus_ == 0) return;
    // STARPU_NCUDA may have started workers in spite of what Frond asked for.
    if (gpu_advice_.empty()) gpu_advice_ = gpu::why_unusable();
    if (gpu_advice_.empty())
        gpu_advice_ = why_no_cards({scheduler_, owns_starpu_ ? "scheduler" : "the application's scheduler"});
    if (!gpu_advice_.empty()) return;
    gpu::prepare_worker_contexts();
    gpus_ = static_cast<index_t>(starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM) +
                                 starpu_memory_nodes_get_count_by_kind(STARPU_HIP_RAM)) +
            emulated_gpus_;
}

std::vector<int> SessionState::gpus_to_start(const SessionOptions& options, DevicePart part,
                                             const AskedScheduler& asked) {
    std::vector<int> own = part.devices(options.gpus == 0 ? 0 : gpu::device_count());
    const auto found = static_cast<index_t>(own.size());
    if (found > 0) gpu_advice_ = gpu::why_unusable();
    // An application's StarPU has the application's scheduler and cards, whatever was asked for here.
    if (found > 0 && gpu_advice_.empty() && owns_starpu_) gpu_advice_ = why_no_cards(asked);
    const index_t usable = gpu_advice_.empty() ? found : 0;
    if (options.gpus > usable && owns_starpu_)
        throw InvalidArgument("gpus = " + std::to_string(options.gpus) + ", but " + std::to_string(usable) +
                              " can be used" + (gpu_advice_.empty() ? "" : " (" + gpu_advice_ + ")") +
                              "; take -1 for those that there are, 0 for none");
    own.resize(static_cast<std::size_t>(options.gpus < 0 ? usable : std::min(usable, options.gpus)));
    return own;
}

/// The options with what the tuning sets; a scheduler that this StarPU does not have makes the file unusable.
SessionOptions SessionState::tuned(const SessionOptions& options, index_t cards) {
    tuning_ = find_tuning(options, cards);
    if (!tuning_.taken) return options;
    SessionOptions with = with_tuning(options, *tuning_.taken);
    try {
        expect_startable(with);
        return with;
    } catch (const InvalidArgument& error) {
        const std::string reason = tuning_.file + ": " + error.what() + "; run frond tune again, or remove the file";
        if (options.tuning != "automatic") throw InvalidArgument(reason);
        tuning_ = {std::nullopt, "", reason};
        return options;
    }
}

void SessionState::start_or_join(const SessionOptions& options, DevicePart part, StartedStarpu& started) {
    const AskedScheduler asked = asked_scheduler(options.scheduler, std::getenv("STARPU_SCHED"));
    const std::vector<int> devices = gpus_to_start(options, part, asked);
    const auto gpus = static_cast<index_t>(devices.size());
    if (gpu::vendor_of_build() == DeviceVendor::emulated) emulated_gpus_ = gpus;  // StarPU knows nothing of it
    // StarPU chooses devices for the calling thread, also to measure those that it is not to use.
    const gpu::KeptDevice kept(gpu::device_count() > 0);
    if (!owns_starpu_) {
        // StarPU counts its users: this only joins them, and what Frond registered stays valid when the application
        // shuts down first.
        started.start(nullptr);
        worker_binding_ = "the application's";
    } else {
        const SessionOptions with = is_simulation ? options : tuned(options, gpus);
        const AskedScheduler scheduler = asked_scheduler(with.scheduler, std::getenv("STARPU_SCHED"));
        const Tuning tuning = tuning_.taken.value_or(Tuning{});
        worker_binding_ = to_string(start_starpu({with, suitable_scheduler(scheduler, gpus), devices,
                                                  tuning.workers_per_card, tuning.bind_workers},
                                                 started));
    }
}

}  // namespace frond::detail

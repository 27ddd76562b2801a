// SPDX-License-Identifier: BSD-3-Clause
// Starting StarPU or joining that of the application, and what workers and devices it then has.
#include <starpu.h>

#include <algorithm>
#include <cstdlib>

#include "frond/base/error.hpp"
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
    keep_to_one_blas_thread();
    gpu::measure_rates();
    give_back_blas_threads();
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

/// What StarPU will start with: devices, and what the tuning says.
void SessionState::plan(DevicePart part) {
    const AskedScheduler asked = asked_scheduler(asked_.scheduler, std::getenv("STARPU_SCHED"));
    devices_to_start_ = gpus_to_start(asked_, part, asked);
    const auto gpus = static_cast<index_t>(devices_to_start_.size());
    if (gpu::vendor_of_build() == DeviceVendor::emulated) emulated_gpus_ = gpus;  // StarPU knows nothing of it
    if (!owns_starpu_) return;
    with_tuning_ = starts_simulation() ? asked_ : tuned(asked_, gpus);
    scheduler_ = suitable_scheduler(asked_scheduler(with_tuning_.scheduler, std::getenv("STARPU_SCHED")), gpus);
    cpu_workers_ = planned_cpu_workers(with_tuning_);
}

/// Where there is more to know or to keep than the number of workers; and where StarPU refuses to start, which is said at once.
bool SessionState::starts_with_session() const {
    return starts_simulation() || !owns_starpu_ || !devices_to_start_.empty() || will_be_traced() || cpu_workers_ <= 0;
}

void SessionState::start() {
    if (is_inline_ || has_started_) return;
    const std::lock_guard lock(mutex_);
    if (has_started_) return;
    const bool joins_late = owns_starpu_ && starpu_is_initialized() != 0;
    owns_starpu_ = starpu_is_initialized() == 0;
    StartedStarpu started;
    start_or_join(started);
    if (joins_late && has_device_workers())  // analyses were made for cores
        gpu_advice_ = "the application started StarPU after the session";
    start_ = StarpuStart::next();
    look_at_workers();
    // Frond counts the host's memory. StarPU would stand still where tiles leave a device for more memory than it
    // believes that the host has.
    if (owns_starpu_ && gpus_ > 0) starpu_malloc_on_node_set_default_flags(STARPU_MAIN_RAM, STARPU_MALLOC_PINNED);
    if (owns_starpu_ && wakes_ == 0) started.pause();
    if (has_devices()) measure_rates();
    started.release();
    has_started_ = true;
}

void SessionState::start_or_join(StartedStarpu& started) {
    // StarPU chooses devices for the calling thread, also to measure those that it is not to use.
    const gpu::KeptDevice kept(gpu::device_count() > 0);
    if (!owns_starpu_) {
        // StarPU counts its users: this only joins them, and what Frond registered stays valid when the application
        // shuts down first.
        started.start(nullptr);
        worker_binding_ = "the application's";
    } else {
        const Tuning tuning = tuning_.taken.value_or(Tuning{});
        worker_binding_ = to_string(start_starpu(
            {with_tuning_, scheduler_, devices_to_start_, tuning.workers_per_card, tuning.bind_workers}, started));
    }
}

}  // namespace frond::detail

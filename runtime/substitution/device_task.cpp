// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/device_task.hpp"

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "tasks/solve/solve_piece.hpp"
#include "engine/insert_task.hpp"

namespace frond::detail {
namespace {

using Body = std::function<void()>;

void call(const void* body) { (*static_cast<const Body*>(body))(); }

/// The worker of a lost device ends no task, and begins none: the job stays in memory then, as the tasks do. A body that
/// is told of the loss has ended long before the second look.
void wait_for_device(std::unique_ptr<Job> job) {
    constexpr std::chrono::milliseconds between_looks{100}, short_time{3};
    // Waking takes tens of microseconds, a twentieth of a short task.
    const auto start = std::chrono::steady_clock::now();
    while (job->pending() > 0 && std::chrono::steady_clock::now() - start < short_time) std::this_thread::yield();
    bool was_lost = false;
    while (!job->wait_at_most(between_looks)) {
        if (was_lost) {
            static_cast<void>(job.release());
            throw DeviceError("a kernel failed, and took the device from this process");
        }
        was_lost = gpu::has_lost_device();
    }
    job->wait();
}

/// Real operations. Entries of symmetric kinds are used in both sweeps.
template <class T>
double substitution_flops(const Analysis& analysis, DeviceSweeps work) {
    const double uses = is_symmetric(analysis.factorization) ? work.sweeps : 0.5 * work.sweeps;
    return 2 * uses * static_cast<double>(analysis.cost.factor_entries) * work.rhs * flops_per_real<T>;
}

}  // namespace

template <class T>
void run_on_device(const FactorsState<T>& state, const gpu::Device& device, starpu_codelet& codelet, DeviceSweeps work,
                   const Body& body) {
    const AwakeWorkers awake(*state.session);
    auto job = std::make_unique<Job>(starpu_engine());
    DeviceSolveArguments a;
    a.body = call;
    a.data = &body;
    a.flops = substitution_flops<T>(*state.analysis, work);
    if (work.rhs > 0) a.label.rhs = work.rhs;
    a.place = Place::device;
    a.worker = device.worker;
    std::vector<Access> accesses;
    for (const DataHandle& part : state.factors.parts.handles()) accesses.push_back({part.get(), STARPU_R});
    insert_task(*job, codelet, a, accesses, STARPU_MAX_PRIO);
    wait_for_device(std::move(job));
}

#define FROND_INSTANTIATE(T)                                                                                  \
    template void run_on_device<T>(const FactorsState<T>&, const gpu::Device&, starpu_codelet&, DeviceSweeps, \
                                   const std::function<void()>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

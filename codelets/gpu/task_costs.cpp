// SPDX-License-Identifier: BSD-3-Clause
#include "task_costs.hpp"

#include "vendor.hpp"

namespace frond::gpu {
namespace {

struct Rates {
    double latency_microseconds;
    double flops_per_microsecond;
    double bytes_per_microsecond;
};

constexpr Rates of_core{5, 3e4, 5e3};
constexpr Rates of_device{20, 2e7, 1e6};

Rates rates(const starpu_perfmodel_arch* arch) {
    return arch->devices[0].type == device_worker_type ? of_device : of_core;
}

double microseconds_by_flops(starpu_task* task, starpu_perfmodel_arch* arch, unsigned) {
    const Rates r = rates(arch);
    return r.latency_microseconds + task->flops / r.flops_per_microsecond;
}

/// On a device: launches of small kernels, hardly any work each.
double microseconds_of_subtree(starpu_task* task, starpu_perfmodel_arch* arch, unsigned) {
    constexpr double launches_microseconds = 2000, flops_per_microsecond = 1.5e6;
    if (arch->devices[0].type == device_worker_type)
        return launches_microseconds + task->flops / flops_per_microsecond;
    return of_core.latency_microseconds + task->flops / of_core.flops_per_microsecond;
}

double microseconds_by_bytes(starpu_task* task, starpu_perfmodel_arch* arch, unsigned) {
    const Rates r = rates(arch);
    double bytes = 0;
    for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(task); ++i)
        bytes += static_cast<double>(starpu_data_get_size(STARPU_TASK_GET_HANDLE(task, i)));
    return r.latency_microseconds + bytes / r.bytes_per_microsecond;
}

starpu_perfmodel model(double (*cost)(starpu_task*, starpu_perfmodel_arch*, unsigned)) {
    starpu_perfmodel m{};
    m.type = STARPU_PER_ARCH;
    m.arch_cost_function = cost;
    return m;
}

}  // namespace

starpu_perfmodel* cost_by_flops() {
    static starpu_perfmodel m = model(microseconds_by_flops);
    return &m;
}

starpu_perfmodel* cost_of_subtree() {
    static starpu_perfmodel m = model(microseconds_of_subtree);
    return &m;
}

starpu_perfmodel* cost_by_bytes() {
    static starpu_perfmodel m = model(microseconds_by_bytes);
    return &m;
}

}  // namespace frond::gpu

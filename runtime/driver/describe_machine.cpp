// SPDX-License-Identifier: BSD-3-Clause
#include "driver/describe_machine.hpp"

namespace frond::detail {

namespace {

/// Operations in one step, against AVX-512 with fused multiplication and addition.
double relative_width(std::string_view kernels) {
    if (kernels == "avx512") return 1;
    return kernels == "avx2" ? 1.0 / 2 : 1.0 / 8;
}

}  // namespace

MachineDescription describe_machine(index_t cores, index_t devices, const Rates& rates, std::string_view kernels) {
    // Kernels of a level that wait for each other, and of a step of 32 pivots, as a whole tree has
    // them on a device.
    constexpr double launches_of_level = 5, launches_of_step = 3;
    MachineDescription machine;
    machine.cores = cores;
    machine.core_flops_per_second = rates.core_flops;
    if (devices == 0) {
        machine.core_flops_per_second *= relative_width(kernels);
        return machine;
    }
    machine.devices = devices;
    machine.device_flops_per_second = rates.device_tree_flops;
    machine.level_seconds = launches_of_level * rates.launch_seconds;
    machine.step_seconds = launches_of_step * rates.launch_seconds;
    return machine;
}

}  // namespace frond::detail

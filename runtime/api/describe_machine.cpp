// SPDX-License-Identifier: BSD-3-Clause
#include "describe_machine.hpp"

namespace frond::detail {

MachineDescription describe_machine(index_t cores, index_t devices, const Rates& rates) {
    // Kernels of a level that wait for each other, and of a step of 32 pivots, as a whole tree has
    // them on a device.
    constexpr double launches_of_level = 5, launches_of_step = 3;
    MachineDescription machine;
    machine.cores = cores;
    machine.core_flops_per_second = rates.core_flops;
    if (devices == 0) return machine;
    machine.devices = devices;
    machine.device_flops_per_second = rates.device_tree_flops;
    machine.level_seconds = launches_of_level * rates.launch_seconds;
    machine.step_seconds = launches_of_step * rates.launch_seconds;
    return machine;
}

} // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/simulated_machine.hpp"

namespace frond {
namespace {

SimulatedHardware& hardware_in_use() noexcept {
    static SimulatedHardware hardware;
    return hardware;
}

}  // namespace

void use_simulated_hardware(const SimulatedHardware& hardware) noexcept { hardware_in_use() = hardware; }

const SimulatedHardware& simulated_hardware() noexcept { return hardware_in_use(); }

}  // namespace frond

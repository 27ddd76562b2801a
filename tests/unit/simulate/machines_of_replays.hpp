// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "simulate/machine_file.hpp"

namespace frond::test {

inline cli::SimulatedMachine cores(index_t count, double speed = 1) {
    cli::SimulatedMachine machine;
    machine.name = "m";
    machine.cores = count;
    machine.core_speed = speed;
    return machine;
}

}  // namespace frond::test

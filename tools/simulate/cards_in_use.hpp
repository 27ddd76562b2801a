// SPDX-License-Identifier: BSD-3-Clause
// Whether a simulation can take the cards that it is asked to take.
#pragma once

#include "arguments/command_line.hpp"
#include "machine_file.hpp"

#include <string>

namespace frond::cli {

/// Whether cards of the machine work in the simulation.
bool uses_cards(const CommandLine& line, const SimulatedMachine& machine);

/// scheduler: empty: Frond's choice, which serves cards. Some schedulers stand still with them.
/// @throws InvalidArgument  with the reason
void expect_simulated_cards(const CommandLine& line, const SimulatedMachine& machine, const std::string& scheduler);

}  // namespace frond::cli

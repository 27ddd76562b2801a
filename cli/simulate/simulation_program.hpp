// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace frond::cli {

/// The program of the simulation build: FROND_SIMULATION_PROGRAM, else frond-simulation beside this program.
/// @throws RuntimeError  there is none; the message says how to get it
std::string simulation_program();

/// Runs it with these arguments and, beside the environment of this process, these "NAME=value"; its exit code. quiet:
/// its table is not shown.
/// @throws RuntimeError  it cannot be started, or a signal ended it
int run_simulation_program(const std::string& program, std::vector<std::string> arguments,
                           const std::vector<std::string>& variables, bool quiet = false);

}  // namespace frond::cli

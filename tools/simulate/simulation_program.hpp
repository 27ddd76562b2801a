// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace frond::cli {

/// The program of the simulation build: FROND_SIMULATION_PROGRAM, else frond-simulation next to this program.
/// @throws RuntimeError  there is none; the message says how to get it
std::string simulation_program();

/// Files that take what a program prints; empty: it goes where that of this process goes.
struct ProgramOutput {
    std::string output, errors;
};

/// Runs it with these arguments and, in addition to the environment of this process, these "NAME=value"; its exit code.
/// What it starts is a process group of its own, all of which ends when this process is interrupted (CatchInterrupts).
/// stopped: what is to be done with what a process of this number has left, when a signal has ended it.
/// @throws RuntimeError  it cannot be started, or a signal ended it
/// @throws Cancelled     this process was interrupted
int run_simulation_program(const std::string& program, std::vector<std::string> arguments,
                           const std::vector<std::string>& variables, const ProgramOutput& print = {},
                           const std::function<void(int)>& stopped = {});

}  // namespace frond::cli

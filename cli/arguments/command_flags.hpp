// SPDX-License-Identifier: BSD-3-Clause
// The flags of each command.
#pragma once

#include "flags.hpp"

namespace frond::cli {

// Commands on systems of equations (system_flags.cpp).
void add_solve(CLI::App& app, CommandLine& line, OptionTexts& texts);
void add_solve_dense(CLI::App& app, CommandLine& line, OptionTexts& texts);
void add_trace(CLI::App& app, CommandLine& line, OptionTexts& texts);
void add_analyze(CLI::App& app, CommandLine& line, OptionTexts& texts);
void add_bench(CLI::App& app, CommandLine& line, OptionTexts& texts);

// Commands on machines (machine_flags.cpp).
void add_simulate(CLI::App& app, CommandLine& line, OptionTexts& texts);
void add_study(CLI::App& app, CommandLine& line, OptionTexts& texts);
void add_calibrate(CLI::App& app, CommandLine& line);
void add_tune(CLI::App& app, CommandLine& line, OptionTexts& texts);
void add_info(CLI::App& app, CommandLine& line, OptionTexts& texts);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
// What the flags of several commands are made of.
#pragma once

#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace frond::cli {

/// Texts given for the options of the table, by name.
using OptionTexts = std::map<std::string, std::string>;

/// All commands with their arguments and flags; what they are given goes to `line` and `texts`.
void add_commands(CLI::App& app, CommandLine& line, OptionTexts& texts);

extern const char* const matrix_text;
extern const char* const exit_codes;  // of what solves

/// value: how the help calls it.
CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& text, const std::string& value,
                      const std::string& help);
/// A whole number >= 1, with a message of our own.
CLI::Option* add_count(CLI::App& app, const std::string& name, index_t& count, const std::string& help);
/// Adds the flag of one row of the option table; the text is checked later.
void add_option_flag(CLI::App& app, OptionTexts& texts, const OptionInfo& info);
void add_no_tuning(CLI::App& app, OptionTexts& texts);
/// Adds a flag for each row of the option table up to the phase, in groups.
void add_option_flags(CLI::App& app, OptionTexts& texts, OptionPhase last = OptionPhase::solve);
void add_precision(CLI::App& app, Precision& precision);
void add_mpi(CLI::App& app, std::string& mpi);
/// What every command has that works on matrices.
void add_run_flags(CLI::App& app, CommandLine& line, OptionTexts& texts);
void add_rhs_flags(CLI::App& app, CommandLine& line);

// The flags of each command.

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

// SPDX-License-Identifier: BSD-3-Clause
// What the flags of several commands are made of.
#pragma once

#include "flags.hpp"

namespace frond::cli {

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

}  // namespace frond::cli

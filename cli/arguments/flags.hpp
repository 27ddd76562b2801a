// SPDX-License-Identifier: BSD-3-Clause
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

}  // namespace frond::cli

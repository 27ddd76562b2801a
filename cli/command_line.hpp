// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/option_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace frond::cli {

enum class Command { solve, analyze, bench, info, generate, manual };
enum class Precision { double_precision, single };

struct CommandLine {
    Command command = Command::info;
    std::string matrix;                // file or generate:KIND:SIZE
    std::vector<std::string> matrices; // bench
    index_t repeat = 3;                // bench
    std::string rhs_file;              // empty: right-hand sides of known random solutions
    index_t random_rhs = 1;            // how many of them
    std::string solution_file;         // empty: not written; "-": standard output
    std::string null_space_file;       // empty: not computed; "-": standard output
    bool condition = false;            // solve: estimate the condition
    std::string json_file;             // empty: none; "-": standard output
    std::string user_order_file;       // empty: none
    std::string analysis_file;         // solve: empty: analyses itself
    std::string save_file;             // analyze: where the analysis goes; empty: nowhere
    std::string plot_folder;           // empty: none
    std::string kind, size;            // generate
    std::string output_file = "-";     // generate; "-": standard output
    std::string manual;                // manual: "options" or "errors"
    Precision precision = Precision::double_precision;
    Options options;

    bool works_on_matrix() const {
        return command == Command::solve || command == Command::analyze ||
               command == Command::bench;
    }
};

/// What the program is to do, or the exit code when it is told at once (--help, --version, errors:
/// their message has then been printed).
struct Parsed {
    std::optional<CommandLine> command_line;
    int exit_code = 0;
};

/// Options come from the environment (FROND_<NAME>), then from the flags.
Parsed parse_command_line(int argc, char** argv);

} // namespace frond::cli

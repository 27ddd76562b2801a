// SPDX-License-Identifier: BSD-3-Clause
// What one waits for who starts a program, solves one system and ends: measured in processes that
// did nothing before.
#pragma once

#include "arguments/command_line.hpp"

namespace frond::cli {

/// Wall-clock seconds around calls of the public interface; the matrix is in memory before.
struct ColdTimes {
    double cold = 0;  // from before the session to X
    double analysis = 0;
    double factor = 0;
    double solve = 0;
    bool solved = false;  // else there are no factors to solve with, and cold ends without X
};

/// Runs this program again, with its own arguments, on the `matrix`-th of line.matrices.
/// @throws RuntimeError  it ended otherwise than with its times; its own message went to standard
/// error
ColdTimes cold_times_in_fresh_process(const CommandLine& line, index_t matrix);

/// Runs in that process: measures, and answers on the descriptor that the other waits at. Returns the
/// exit code.
int cold_run_command(const CommandLine& line);

}  // namespace frond::cli

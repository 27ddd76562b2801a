// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arguments/command_line.hpp"
#include "run_facts.hpp"

namespace frond::cli {

/// Reads the matrix, opens a session, analyses and, unless the command is `analyze`, factors and solves; prints the
/// table and writes the JSON object. The session has ended when it returns or throws. Returns the exit code; of an
/// exception `facts` say how far it came.
int solve_and_report(const CommandLine& line, RunFacts& facts);

}  // namespace frond::cli

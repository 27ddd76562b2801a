// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arguments/command_line.hpp"
#include "frond/base/error.hpp"
#include "problem.hpp"
#include "run_facts.hpp"

#include <functional>

namespace frond::cli {

/// load_problem(), with a status line on a terminal.
Problem load_with_status(const std::string& name, Precision precision);

/// What the command line and the matrix together say.
/// @throws InvalidArgument  the order in a file does not fit
AnalysisOptions analysis_options_of(const CommandLine& line, const Problem& problem);

/// The error for a matrix of a scalar that FROND_SCALARS leaves out.
InvalidArgument scalar_left_out(const MatrixFacts& facts);

/// Analyses and, unless the command is `analyze`, factors and solves; writes analysis, solution and
/// pictures where the command line asks for them. After an exception `facts` say how far it came. Calls `analysed`
/// after the analysis: what follows stops by itself at an interrupt.
void run_problem(const CommandLine& line, const Session& session, const Problem& problem, RunFacts& facts,
                 const std::function<void()>& analysed = {});

/// The same, for those who have no use for half of the facts.
RunFacts run_problem(const CommandLine& line, const Session& session, const Problem& problem);

/// Reads the matrix, opens a session, analyses and, unless the command is `analyze`, factors and solves; prints the
/// table and writes the JSON object. The session has ended when it returns or throws. Returns the exit code; of an
/// exception `facts` say how far it came.
int solve_and_report(const CommandLine& line, RunFacts& facts);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

}  // namespace frond::cli

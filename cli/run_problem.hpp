// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "problem.hpp"
#include "run_facts.hpp"

namespace frond::cli {

/// load_problem(), with a status line on a terminal.
Problem load_with_status(const std::string& name, Precision precision);

/// Analyses and, unless the command is `analyze`, factors and solves; writes solution and pictures
/// where the command line asks for them.
RunFacts run_problem(const CommandLine& line, const Session& session, const Problem& problem);

} // namespace frond::cli

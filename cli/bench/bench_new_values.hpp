// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bench_facts.hpp"

namespace frond::cli {

/// One analysis, one factorization, then as often as line.repeat says other values of the same
/// pattern, by Solver::factor and by Solver::factor_values, each with a solve; wall-clock seconds
/// around the calls.
/// @pre  line.new_values names a ValueChange
BenchFacts bench_new_values(const CommandLine& line, const Session& session, const Problem& problem);

/// Adds the times of a session, its analysis, first factorization and first solve, in as many fresh processes,
/// into `bench`, which is of the `matrix`-th of line.matrices. This process should hold no session
/// then, which would take its share of the machine.
void add_cold_times(BenchFacts& bench, const CommandLine& line, index_t matrix);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run/new_values.hpp"
#include "run/run_facts.hpp"

#include <optional>
#include <string>
#include <vector>

namespace frond::cli {

/// One time of every run of a matrix.
struct Times {
    std::vector<double> seconds;

    double median() const;  // of an even number: the mean of the middle two
    double minimum() const;
};

/// What --new-values adds.
struct NewValueFacts {
    Times cold, first_factor, first_solve;  // of fresh processes, as BenchFacts::analysis is then
    Times factor_values;  // with other values; BenchFacts::factor and solve are by factor()
    index_t scalings_kept = 0, rescaled = 0;  // factorizations with other values
    index_t compared_with_scratch = 0;  // of them
    index_t other_than_from_scratch = 0;  // inertia or verdict differ
};

/// Several runs of one matrix. What does not vary with the run is that of the last.
struct BenchFacts {
    MatrixFacts matrix;
    Times analysis, factor, solve;  // solve is empty when there was no solution
    double flops = 0;  // of the factorization
    count_t peak_bytes = 0;  // largest over the runs
    double backward_error = 0;  // componentwise, largest over the runs
    std::string verdict;  // "solved", "perturbed", "inaccurate", "singular", ...
    int exit_code = 0;  // worst of the runs
    std::optional<NewValueFacts> new_values = std::nullopt;

    /// The rate at the median time of the factorization.
    double flops_per_second() const;
};

/// Takes one more run into `bench`.
void add_run(BenchFacts& bench, const RunFacts& run);

/// All of it but its times.
void add_outcome(BenchFacts& bench, const RunFacts& run);

/// "solved", "perturbed", "inaccurate", "singular", ...
std::string verdict_of(const RunFacts& run);

/// What `frond bench` prints.
std::string bench_table(const std::vector<BenchFacts>& rows);

/// What it prints with --new-values: the medians.
std::string new_values_table(const std::vector<BenchFacts>& rows);

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

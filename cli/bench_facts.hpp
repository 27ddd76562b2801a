// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run_facts.hpp"

#include <string>
#include <vector>

namespace frond::cli {

/// One time of every run of a matrix.
struct Times {
    std::vector<double> seconds;

    double median() const; // of an even number: the mean of the middle two
    double minimum() const;
};

/// Several runs of one matrix. What does not vary with the run is that of the last.
struct BenchFacts {
    MatrixFacts matrix;
    Times analysis, factor, solve; // solve is empty when there was no solution
    double flops = 0;              // of the factorization
    count_t peak_bytes = 0;        // largest over the runs
    double backward_error = 0;     // componentwise, largest over the runs
    std::string verdict;           // "solved", "perturbed", "inaccurate", "singular", ...
    int exit_code = 0;             // worst of the runs

    /// At the median time of the factorization.
    double flops_per_second() const;
};

/// Takes one more run into `bench`.
void add_run(BenchFacts& bench, const RunFacts& run);

/// What `frond bench` prints.
std::string bench_table(const std::vector<BenchFacts>& rows);

} // namespace frond::cli

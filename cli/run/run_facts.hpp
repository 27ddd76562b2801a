// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/rank_mapping.hpp"
#include "frond/condition.hpp"
#include "frond/reports.hpp"
#include "frond/session.hpp"
#include "problem.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace frond::cli {

/// Facts about the null space that was written.
struct NullSpaceFacts {
    index_t dimension = 0;
    double residual = 0;  // largest ||A z|| / (||A|| ||z||)
};

/// Who would own what on several processes, and what each of them would do.
struct RankPlan {
    RankMapping mapping;
    MessageRule rule;
    std::string left_to_rank_0;  // why a run shares nothing of this tree; empty: it does
    std::vector<RankPrediction> of_rank;
};

/// All that is known after a run; the table, the JSON object and the plots show it.
struct RunFacts {
    MatrixFacts matrix;
    SessionInfo session;
    std::string machine;  // that was simulated; empty: the run was real
    std::string blas_choice;  // who chose the BLAS kernels, and why
    std::string right_hand_sides;  // where they came from; empty when there was no solve
    bool complex_scalar = false;
    count_t scalar_bytes = 8;
    std::shared_ptr<const Analysis> analysis;
    std::optional<double> analysis_loaded_seconds;  // set when it came from a file
    std::optional<RankPlan> ranks;  // of several processes that were only planned
    std::vector<RankReport> work_of_ranks;  // of several processes that did work together
    std::optional<FactorReport> factor;
    std::optional<SolveReport> solve;
    std::optional<double> forward_error;  // max |x - known x| / max |known x|
    std::optional<ConditionEstimate> condition;
    std::optional<NullSpaceFacts> null_space;
    count_t predicted_peak_bytes = 0;
    count_t predicted_solve_bytes = 0;  // in addition to the factors, for one right-hand side
    bool solve_is_part = false;  // of which no error is measured
    double accepted_backward_error = 0;  // componentwise; above it the solve counts as inaccurate
    double total_seconds = 0;  // analysis, factorization and solve, without reading and writing

    /// The analysis counts real arithmetic; a complex multiply-add has 4 times the operations.
    double analysis_flops() const { return analysis->cost.flops * (complex_scalar ? 4 : 1); }
};

/// 0 when the system was solved as well as asked, else what the numbers did; see exit_code.hpp.
int exit_code_of(const RunFacts& facts);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
// The model problems that frond calibrate factors, none of which is one of those that documents predict.
#pragma once

#include "frond/codelets/time_models.hpp"
#include "frond/solver.hpp"
#include "new_memory.hpp"

#include <vector>

namespace frond::cli {

struct CalibrationProblem {
    const char* name;
    Factorization factorization;
};

/// An analysis for so many workers, 0: those of the session, which is ready to factor.
struct AnalysedProblem {
    AnalysedProblem(const CalibrationProblem& problem, index_t workers, const Session& session);

    SharedMatrix<double> matrix;
    Solver<double> solver;
};

/// For as many cores the analysis cuts smaller tiles and subtrees.
inline constexpr index_t many_cores = 32;

struct TimesOnCores {
    TimeSamples samples;
    std::vector<NewMemory> memory;  // of each problem
};

/// Records all kinds of tasks, on all cores.
TimesOnCores record_on_cores();
/// Records pieces of trees on a card and on the cores next to it; empty: no card can be used.
TimeSamples record_on_card();

}  // namespace frond::cli

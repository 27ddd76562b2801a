// SPDX-License-Identifier: BSD-3-Clause
// What the system takes for memory that nobody has written before.
#pragma once

#include "frond/codelets/time_models.hpp"
#include "frond/solver.hpp"

#include <vector>

namespace frond::cli {

/// For one problem, the tasks that write new memory, when all of it is new and when none is.
struct NewMemory {
    double first_seconds = 0, later_seconds = 0;  // of all these tasks
    double bytes = 0;  // that were new the first time
};

/// Seconds of the tasks that are the first to write a block of memory (task.hpp, `new_bytes`).
double seconds_of_first_writers(const TimeSamples& samples);

/// The median over the problems, weighted by their bytes, of (first_seconds - later_seconds) / bytes, as seconds of a byte; 0:
/// no bytes were new, or half of them took no longer the first time. A median, since a virtual machine takes several times
/// as long for pages that its host has to give it first. Measured in factorizations, since pages are cleared more slowly
/// while products run than in a loop that fills memory.
TimeModel new_memory_model(std::vector<NewMemory> problems);

// The model problems that frond calibrate factors, none of which is one of those that documents predict.

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

/// What a task takes in addition to its body; 0 where the bodies took all of the time that was measured.
struct TaskCost {
    double worker_seconds = 0;  // of its worker
    double submit_seconds = 0;  // of the thread that submits
};

/// The cost of a task for one worker on a core: its processor time, less that of the bodies and of the thread that
/// submits. The problems are cut as for many cores.
TaskCost measure_task_cost(const std::vector<CalibrationProblem>& problems);

/// The seconds of submitting a task, from samples of the kind "submit", whose items count tasks.
double seconds_of_submission(const std::vector<TimeSample>& samples);

}  // namespace frond::cli

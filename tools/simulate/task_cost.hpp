// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calibration_problems.hpp"

#include <vector>

namespace frond::cli {

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

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/read/recorded_jobs.hpp"

#include <vector>

namespace frond::cli {

inline bool is_task(const RecordedJob& job) { return job.worker >= 0; }
inline bool is_on_card(const RecordedJob& job) { return job.memory_node > 0; }

/// The seconds of each job: for a task on a core end - begin; for one on a card the integral of dt / n(t) from begin to
/// end, n the tasks that run on that card at t. So tasks of several workers share a card, and all of them together take
/// the time in which it was busy. 0: no task.
std::vector<double> seconds_of_jobs(const std::vector<RecordedJob>& jobs);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/read/paje.hpp"
#include "trace/read/recorded_jobs.hpp"

#include <vector>

namespace frond::cli {

/// Memory of the data that tasks work on: a handle counts from the begin of the first task that uses it until StarPU
/// no longer knows it, with the largest size that a task saw. For node 0, of which StarPU does not count what the
/// application allocates. Ascending by time. nodes: as PajeRecords has them; each rank has a node 0 of its own.
std::vector<MemorySample> memory_of_handles(const std::vector<RecordedJob>& jobs,
                                            const std::vector<HandleEvent>& events, const std::vector<int>& nodes,
                                            double last);

}  // namespace frond::cli

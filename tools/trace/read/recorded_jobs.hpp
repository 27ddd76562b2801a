// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/records.hpp"

#include <string>
#include <vector>

namespace frond::cli {

/// A buffer of a task.
struct RecordedAccess {
    std::uint64_t handle = 0;  // ranked_handle
    double bytes = 0;
    bool reads = false, writes = false;  // neither: memory for the task alone
};

/// A job of tasks.rec: a task, or something of StarPU's own that orders tasks and runs on no worker.
struct RecordedJob {
    TraceTask task;  // kind and place of the worker are not set yet
    int worker = -1;  // ranked_number; -1: it did not run
    int rank = 0;
    int memory_node = 0;  // StarPU's; 0: of the host
    bool ended = false;
    std::vector<std::int64_t> depends_on;
    std::vector<RecordedAccess> accesses;
};

/// The file tasks.rec that starpu_fxt_tool writes: blocks of lines "Name: value".
/// @throws InvalidArgument  the file cannot be read, or a line is none of its kind, with file and line
std::vector<RecordedJob> read_recorded_jobs(const std::string& file);

}  // namespace frond::cli

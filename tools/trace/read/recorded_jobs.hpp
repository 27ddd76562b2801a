// SPDX-License-Identifier: BSD-3-Clause
// The mark in tasks.rec of a run that failed or was interrupted: its last tasks did nothing, and their times say nothing.
#pragma once

#include "trace/records.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace frond::cli {

/// Lines that begin so are comments of such files (GNU recutils).
inline constexpr char comment_of_records = '#';

/// Adds the mark at the end. @throws RuntimeError  there is no room
void mark_unfinished(const std::string& file);

/// Whether the mark is there; not where the file cannot be read, which others say.
bool is_unfinished(const std::string& file);

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

/// A message of StarPU-MPI between two ranks. Seconds on the clock of the trace.
struct RecordedMessage {
    int source = 0, destination = 0;  // ranks
    double bytes = 0;
    double sent = 0, received = 0;
    std::int64_t sent_after = -1, received_before = -1;  // jobs, as job_number() has them
};

/// The file comms.rec that starpu_fxt_tool writes of several ranks: blocks of lines "Name: value". Empty without the file.
/// @throws InvalidArgument  the file cannot be read, or a line is none of its kind, with file and line
std::vector<RecordedMessage> read_recorded_messages(const std::string& file);

}  // namespace frond::cli

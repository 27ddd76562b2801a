// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace frond::cli {

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

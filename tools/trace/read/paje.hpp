// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/records.hpp"

#include <map>
#include <string>
#include <vector>

namespace frond::cli {

/// Behind the name of a phase whose end the trace does not have.
constexpr const char* not_ended = " (not ended)";

/// StarPU has a handle from then on, or has it no longer.
struct HandleEvent {
    double time = 0;
    std::uint64_t handle = 0;  // ranked_handle
    int rank = 0;
    bool known = false;
};

/// What a file paje.trace says beyond the tasks.
struct PajeRecords {
    std::map<int, TraceWorker> workers;  // by ranked_number
    std::vector<int> nodes;  // those of rank 0 by StarPU's number, then those of other ranks: ranked_number of each
    bool several_ranks = false;
    std::vector<WorkerSpan> states;  // workers by ranked_number
    std::vector<TraceTransfer> transfers;
    std::vector<NodeSpan> node_states;
    std::vector<MemorySample> memory;
    std::vector<HandleEvent> handles;
    std::vector<TracePhase> phases;  // of rank 0, and so are notes
    std::vector<TraceNote> notes;
    std::map<std::string, std::uint32_t, std::less<>> colors;  // of kinds of tasks
    double last = 0;  // time of the last line that has one
};

/// The file paje.trace that starpu_fxt_tool writes.
/// @throws InvalidArgument  the file cannot be read, or a line is wrong, with file and line
PajeRecords read_paje(const std::string& file);

}  // namespace frond::cli

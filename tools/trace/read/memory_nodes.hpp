// SPDX-License-Identifier: BSD-3-Clause
// The memory nodes of a trace: what they are called, and how much of them was taken.
#pragma once

#include "trace/read/paje.hpp"
#include "trace/read/recorded_jobs.hpp"

#include <string>
#include <vector>

namespace frond::cli {

/// "memory of CUDA 0", node 0 "main memory", of several ranks "main memory of rank 1".
std::vector<std::string> node_names(const PajeRecords& paje);

/// The records' samples, in the order of time. Where StarPU has not counted main memory, that of the handles instead.
void take_memory(const std::vector<RecordedJob>& jobs, PajeRecords& paje, Trace& trace);

}  // namespace frond::cli

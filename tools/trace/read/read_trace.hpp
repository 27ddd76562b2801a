// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/records.hpp"

#include <string>

namespace frond::cli {

/// The trace in the files tasks.rec and paje.trace of a folder, as starpu_fxt_tool writes them of a real run and of a
/// simulated one. Time 0 is the first event that belongs to a task or a phase. Where the program named no phases, all
/// tasks are one.
/// @throws InvalidArgument  a file is missing or wrong, with file and line; no task is in it
Trace read_trace(const std::string& folder);

}  // namespace frond::cli

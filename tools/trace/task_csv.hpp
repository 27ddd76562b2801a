// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/analyze/trace_facts.hpp"

#include <string>

namespace frond::cli {

/// The tasks of the trace, one a line, by begin (docs/traces.md, "tasks.csv"). Fields that a task does not have are
/// empty.
/// @throws RuntimeError  no room, with the file
void write_task_csv(const std::string& file, const Trace& trace, const TraceFacts& facts);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
// The arrays of a page. Times are whole numbers of units; unit = end of the trace / 2^31.
#pragma once

#include "trace/analyze/trace_facts.hpp"
#include "trace/page/packed_columns.hpp"

#include <nlohmann/json.hpp>

namespace frond::cli {

/// Columns "task.*", worker by worker and by begin; `facts` gets the texts of names, where each worker's tasks begin,
/// and how many were left out.
/// Returns for each task of the trace its place in the columns; -1: left out.
std::vector<int> add_tasks(PackedColumns& columns, nlohmann::json& facts, const Trace& trace, const TraceFacts& of,
                           std::size_t most_tasks);

/// Columns "span.*", "transfer.*" and "node.*": the longest; `facts` gets how many were left out of each.
void add_spans(PackedColumns& columns, nlohmann::json& facts, const Trace& trace, double end);

/// Columns "curve.*" and "level.*", after the tasks.
void add_curves(PackedColumns& columns, nlohmann::json& facts, const Trace& trace, const TraceFacts& of);

/// The unit of times in columns.
double time_unit(double end);
std::uint32_t in_units(double seconds, double unit);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/analyze/efficiency.hpp"
#include "trace/analyze/kind_table.hpp"

#include <vector>

namespace frond::cli {

struct PhaseFacts {
    TracePhase phase;
    std::int64_t tasks = 0;
    Bounds bounds;
    EfficiencySplit split;
    std::vector<KindRow> kinds;
    std::vector<int> critical_path;  // tasks, in their order
    double critical_seconds = 0;  // of them, as they ran
};

/// All that is computed of a trace as a whole.
struct TraceFacts {
    double end = 0;  // of the last task or phase
    Readiness readiness;
    std::vector<PhaseFacts> phases;  // those with tasks, at most eight: the longest; by begin
};

/// O(phases x (tasks + arrows)). @throws InvalidArgument  the graph is none
TraceFacts facts_of(const Trace& trace);

/// The phase with most seconds of tasks: what pictures of the whole tree show.
const PhaseFacts& main_phase(const TraceFacts& facts);

}  // namespace frond::cli

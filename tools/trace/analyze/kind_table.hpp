// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/analyze/bounds.hpp"

#include <optional>
#include <vector>

namespace frond::cli {

/// Tasks of one kind on one kind of worker.
struct KindRow {
    int kind = 0;  // place in Trace::kinds
    int workers = 0;  // place in WorkerKinds::names
    std::int64_t count = 0;
    double seconds = 0;
    double share = 0;  // of the seconds of all tasks
    double flops = 0;
    /// sum |t - m| / sum t over the tasks whose footprint several tasks of the row have; m is the mean of t over these: by
    /// so much a model misses that keeps a mean for each footprint. None: no footprint comes twice.
    std::optional<double> model_error;

    double flops_per_second() const { return seconds > 0 ? flops / seconds : 0; }
};

/// The kinds of the tasks that begin in the phase, by descending seconds.
std::vector<KindRow> kind_table(const Trace& trace, const TracePhase& phase);

}  // namespace frond::cli

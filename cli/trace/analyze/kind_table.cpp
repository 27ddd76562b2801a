// SPDX-License-Identifier: BSD-3-Clause
#include "trace/analyze/kind_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace frond::cli {
namespace {

struct MeanOf {
    double seconds = 0;
    std::int64_t count = 0;
};

using Footprint = std::tuple<int, int, std::uint64_t>;  // kind, kind of worker, StarPU's hash

}  // namespace

std::vector<KindRow> kind_table(const Trace& trace, const TracePhase& phase) {
    const WorkerKinds workers = worker_kinds(trace);
    std::map<std::pair<int, int>, KindRow> rows;
    std::map<Footprint, MeanOf> means;
    const auto place_of = [&](const TraceTask& task) {
        return std::pair(task.kind, workers.of_worker[static_cast<std::size_t>(task.worker)]);
    };
    const auto in_phase = [&](const TraceTask& task) { return task.begin >= phase.begin && task.begin < phase.end; };
    double all_seconds = 0;
    for (const TraceTask& task : trace.tasks) {
        if (!in_phase(task)) continue;
        const auto [kind, group] = place_of(task);
        KindRow& row = rows[{kind, group}];
        row.kind = kind;
        row.workers = group;
        ++row.count;
        row.seconds += task.seconds();
        row.flops += task.flops;
        all_seconds += task.seconds();
        MeanOf& mean = means[{kind, group, task.footprint}];
        mean.seconds += task.seconds();
        ++mean.count;
    }
    for (const TraceTask& task : trace.tasks) {
        if (!in_phase(task)) continue;
        const auto [kind, group] = place_of(task);
        const MeanOf& mean = means[{kind, group, task.footprint}];
        rows[{kind, group}].model_error += std::abs(task.seconds() - mean.seconds / static_cast<double>(mean.count));
    }
    std::vector<KindRow> table;
    for (auto& [place, row] : rows) {
        if (row.seconds > 0) row.model_error /= row.seconds;
        if (all_seconds > 0) row.share = row.seconds / all_seconds;
        table.push_back(row);
    }
    std::stable_sort(table.begin(), table.end(),
                     [](const KindRow& a, const KindRow& b) { return a.seconds > b.seconds; });
    return table;
}

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "trace/page/tree_data.hpp"

#include "plot/tree_layout.hpp"
#include "trace/read/task_name.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace frond::cli {
namespace {

constexpr index_t most_drawn_fronts = 150;
constexpr double tree_width = 1160, tree_height = 560;

/// What the tasks of a front did.
struct FrontRun {
    double begin = std::numeric_limits<double>::infinity(), end = 0, seconds = 0;
    std::map<int, double> by_worker;
};

/// Tasks of several fronts count at each of these. [place in the layout]
std::vector<FrontRun> runs_of(const TreeLayout& layout, const Trace& trace, const TracePhase& phase) {
    std::map<index_t, std::size_t> drawn;
    for (std::size_t i = 0; i < layout.fronts.size(); ++i) drawn[layout.fronts[i].front] = i;
    std::vector<FrontRun> runs(layout.fronts.size());
    for (const TraceTask& task : trace.tasks) {
        if (task.begin < phase.begin || task.begin >= phase.end) continue;
        const TaskPlace place = place_in_name(task.name);
        if (place.first_front < 0) continue;
        const auto end = drawn.upper_bound(place.last_front);
        for (auto front = drawn.lower_bound(place.first_front); front != end; ++front) {
            FrontRun& run = runs[front->second];
            run.begin = std::min(run.begin, task.begin);
            run.end = std::max(run.end, task.end);
            run.seconds += task.seconds();
            run.by_worker[task.worker] += task.seconds();
        }
    }
    return runs;
}

int busiest(const FrontRun& run) {
    return std::max_element(run.by_worker.begin(), run.by_worker.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
}

}  // namespace

nlohmann::json tree_data(const Analysis& analysis, const Trace& trace, const TraceFacts& facts) {
    const TreeLayout layout = lay_out_tree(analysis.tree, analysis.cost, most_drawn_fronts, tree_width, tree_height);
    const TracePhase& phase = main_phase(facts).phase;
    const std::vector<FrontRun> runs = runs_of(layout, trace, phase);
    nlohmann::json tree{{"width", layout.width},
                        {"height", layout.height},
                        {"phase", phase.name},
                        {"all_fronts", analysis.tree.fronts.size()},
                        {"flops_share", layout.drawn_flops_share},
                        {"fronts", nlohmann::json::array()}};
    for (std::size_t i = 0; i < layout.fronts.size(); ++i) {
        const FrontFactorViews& placed = layout.fronts[i];
        const auto f = static_cast<std::size_t>(placed.front);
        const FrontRun& run = runs[i];
        nlohmann::json front{{"front", placed.front},
                             {"parent", placed.parent},
                             {"x", placed.x},
                             {"y", placed.y},
                             {"side", placed.side},
                             {"order", analysis.tree.fronts[f].nfront},
                             {"pivots", analysis.tree.fronts[f].npiv},
                             {"flops", analysis.cost.front_flops[f]},
                             {"hidden", placed.hidden_fronts}};
        if (!run.by_worker.empty()) {
            front["begin"] = run.begin;
            front["end"] = run.end;
            front["seconds"] = run.seconds;
            front["worker"] = busiest(run);
            front["workers"] = run.by_worker.size();
        }
        tree["fronts"].push_back(std::move(front));
    }
    return tree;
}

}  // namespace frond::cli

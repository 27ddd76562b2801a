// SPDX-License-Identifier: BSD-3-Clause
#include "trace/page/page_data.hpp"

#include "frond/analysis/analysis.hpp"
#include "plot/tree_layout.hpp"
#include "trace/analyze/trace_facts.hpp"
#include "trace/page/page_columns.hpp"
#include "trace/read/task_name.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

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

/// The costly top of the assembly tree, laid out: of each front place, size, flops, when its tasks in the main phase ran
/// (null: none did), their seconds, and the worker that did most.
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

nlohmann::json workers_json(const Trace& trace) {
    nlohmann::json workers = nlohmann::json::array();
    for (const TraceWorker& worker : trace.workers)
        workers.push_back({{"name", worker.name}, {"kind", worker.kind}, {"node", worker.node}});
    return workers;
}

nlohmann::json kinds_json(const Trace& trace) {
    nlohmann::json kinds = nlohmann::json::array();
    for (const TraceKind& kind : trace.kinds)
        kinds.push_back({{"name", kind.name}, {"color", fmt::format("#{:06x}", kind.color)}});
    return kinds;
}

nlohmann::json rows_json(const std::vector<KindRow>& rows) {
    nlohmann::json json = nlohmann::json::array();
    for (const KindRow& row : rows)
        json.push_back({{"kind", row.kind},
                        {"workers", row.workers},
                        {"count", row.count},
                        {"seconds", row.seconds},
                        {"share", row.share},
                        {"flops", row.flops},
                        {"flops_per_second", row.flops_per_second()},
                        {"model_error", row.model_error ? nlohmann::json(*row.model_error) : nlohmann::json(nullptr)}});
    return json;
}

nlohmann::json phase_json(const PhaseFacts& facts, const std::vector<int>& place_in_page) {
    const EfficiencySplit& split = facts.split;
    nlohmann::json path = nlohmann::json::array();
    for (const int t : facts.critical_path)
        if (const int place = place_in_page[static_cast<std::size_t>(t)]; place >= 0) path.push_back(place);
    return {{"name", facts.phase.name},
            {"begin", facts.phase.begin},
            {"end", facts.phase.end},
            {"tasks", facts.tasks},
            {"bounds",
             {{"area", facts.bounds.area}, {"critical_path", facts.bounds.critical_path}, {"both", facts.bounds.both}}},
            {"split",
             {{"useful", split.useful},
              {"kernels", split.kernels},
              {"overhead", split.overhead},
              {"transfers", split.transfers},
              {"graph", split.graph},
              {"scheduler", split.scheduler}}},
            {"kinds", rows_json(facts.kinds)},
            {"critical_path", std::move(path)},
            {"critical_tasks", facts.critical_path.size()},
            {"critical_seconds", facts.critical_seconds}};
}

nlohmann::json notes_json(const Trace& trace) {
    nlohmann::json notes = nlohmann::json::array();
    for (const TraceNote& note : trace.notes)
        if (notes.size() < most_page_notes) notes.push_back({note.time, note.text});
    return notes;
}

}  // namespace

PageData page_data(const PageTitle& title, const Trace& trace, const TraceFacts& facts, const Analysis* analysis,
                   std::size_t most_tasks) {
    PageData data;
    nlohmann::json& json = data.facts;
    json = {{"matrix", title.matrix},
            {"simulated", title.simulated},
            {"title_facts", title.facts},
            {"end", facts.end},
            {"unit", time_unit(facts.end)},
            {"tasks", trace.tasks.size()},
            {"unfinished", trace.unfinished},
            {"workers", workers_json(trace)},
            {"worker_kinds", worker_kinds(trace).names},
            {"nodes", trace.nodes},
            {"memory_of_handles", trace.memory_of_handles},
            {"kinds", kinds_json(trace)},
            {"notes", notes_json(trace)},
            {"left_out_notes", trace.notes.size() - std::min(trace.notes.size(), most_page_notes)}};
    PackedColumns columns;
    const std::vector<int> place = add_tasks(columns, json, trace, facts, most_tasks);
    add_spans(columns, json, trace, facts.end);
    add_curves(columns, json, trace, facts);
    json["phases"] = nlohmann::json::array();
    for (const PhaseFacts& phase : facts.phases) json["phases"].push_back(phase_json(phase, place));
    json["main_phase"] = &main_phase(facts) - facts.phases.data();
    if (analysis != nullptr) json["tree"] = tree_data(*analysis, trace, facts);
    json["columns"] = columns.index();
    data.columns = columns.text();
    return data;
}

}  // namespace frond::cli

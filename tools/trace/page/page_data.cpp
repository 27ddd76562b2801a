// SPDX-License-Identifier: BSD-3-Clause
#include "trace/page/page_data.hpp"

#include "trace/page/page_columns.hpp"
#include "trace/page/tree_data.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace frond::cli {
namespace {

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

// SPDX-License-Identifier: BSD-3-Clause
#include "trace/page/page_columns.hpp"

#include "trace/analyze/curves.hpp"
#include "trace/page/page_data.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace frond::cli {
namespace {

constexpr int most_parts = 16384;

/// The longest of them, in their order; `left_out` gets the number of the others. Among those that are as long as the
/// shortest one that is kept, the first ones stay.
template <class Span>
std::vector<Span> longest(const std::vector<Span>& spans, nlohmann::json& left_out) {
    left_out = spans.size() - std::min(spans.size(), most_page_spans);
    if (spans.size() <= most_page_spans) return spans;
    const auto length = [](const Span& span) { return span.end - span.begin; };
    std::vector<double> lengths;
    for (const Span& span : spans) lengths.push_back(length(span));
    const auto place = lengths.begin() + static_cast<std::ptrdiff_t>(most_page_spans - 1);
    std::nth_element(lengths.begin(), place, lengths.end(), std::greater<>());
    const double least = *place;
    auto as_long =
        most_page_spans - static_cast<std::size_t>(
                              std::count_if(lengths.begin(), place, [least](double other) { return other > least; }));
    std::vector<Span> kept;
    for (const Span& span : spans)
        if (length(span) > least || (length(span) == least && as_long > 0 && as_long-- > 0)) kept.push_back(span);
    return kept;
}

template <class Span>
void add_times(PackedColumns& columns, const std::string& name, const std::vector<Span>& spans, double unit) {
    std::vector<std::uint32_t> begin, length;
    for (const Span& span : spans) {
        begin.push_back(in_units(span.begin, unit));
        length.push_back(in_units(span.end - std::max(span.begin, 0.0), unit));
    }
    columns.add_differences(name + ".begin", begin);
    columns.add(name + ".length", length);
}

/// Rows by rows: `row` of a span is an int.
template <class Span, class Row>
void sort_by_row(std::vector<Span>& spans, Row row) {
    std::stable_sort(spans.begin(), spans.end(), [&](const Span& a, const Span& b) {
        return row(a) != row(b) ? row(a) < row(b) : a.begin < b.begin;
    });
}

void add_transfers(PackedColumns& columns, nlohmann::json& facts, const Trace& trace, double unit) {
    std::set<std::pair<int, int>> links;
    for (const TraceTransfer& transfer : trace.transfers) links.emplace(transfer.from, transfer.to);
    facts["links"] = nlohmann::json::array();
    for (const auto& [from, to] : links) facts["links"].push_back({from, to});
    const auto link_of = [&](const TraceTransfer& t) {
        return static_cast<int>(std::distance(links.begin(), links.find({t.from, t.to})));
    };
    std::vector<TraceTransfer> transfers = longest(trace.transfers, facts["left_out_transfers"]);
    sort_by_row(transfers, link_of);
    std::vector<std::uint32_t> link;
    std::vector<float> bytes;
    for (const TraceTransfer& transfer : transfers) {
        link.push_back(static_cast<std::uint32_t>(link_of(transfer)));
        bytes.push_back(static_cast<float>(transfer.bytes));
    }
    add_times(columns, "transfer", transfers, unit);
    columns.add_differences("transfer.link", link);
    columns.add("transfer.bytes", bytes);
}

void add_node_states(PackedColumns& columns, nlohmann::json& facts, const Trace& trace, double unit) {
    std::vector<NodeSpan> spans = longest(trace.node_states, facts["left_out_node_states"]);
    sort_by_row(spans, [](const NodeSpan& span) { return span.node; });
    std::map<std::string, std::uint32_t> place;
    std::vector<std::uint32_t> node, what;
    facts["node_states"] = nlohmann::json::array();
    for (const NodeSpan& span : spans) {
        const auto [known, is_first] = place.try_emplace(span.what, static_cast<std::uint32_t>(place.size()));
        if (is_first) facts["node_states"].push_back(span.what);
        node.push_back(static_cast<std::uint32_t>(span.node));
        what.push_back(known->second);
    }
    add_times(columns, "node", spans, unit);
    columns.add_differences("node.node", node);
    columns.add("node.what", what);
}

void add_curve(PackedColumns& columns, const std::string& name, const std::vector<double>& curve) {
    columns.add("curve." + name, std::vector<float>(curve.begin(), curve.end()));
}

}  // namespace

void add_spans(PackedColumns& columns, nlohmann::json& facts, const Trace& trace, double end) {
    const double unit = time_unit(end);
    std::vector<WorkerSpan> states = longest(trace.states, facts["left_out_states"]);
    sort_by_row(states, [](const WorkerSpan& span) { return span.worker; });
    std::vector<std::uint32_t> worker;
    std::vector<std::uint8_t> state;
    for (const WorkerSpan& span : states) {
        worker.push_back(static_cast<std::uint32_t>(span.worker));
        state.push_back(static_cast<std::uint8_t>(span.state));
    }
    add_times(columns, "span", states, unit);
    columns.add_differences("span.worker", worker);
    columns.add("span.state", state);
    add_transfers(columns, facts, trace, unit);
    add_node_states(columns, facts, trace, unit);
}

void add_curves(PackedColumns& columns, nlohmann::json& facts, const Trace& trace, const TraceFacts& of) {
    const int wanted = static_cast<int>(std::min<std::size_t>(4 * trace.tasks.size(), most_parts));
    const TimeParts time{0, of.end, std::max(wanted, 256)};
    facts["parts"] = time.count;
    add_curve(columns, "ready", ready_curve(trace, of.readiness, time));
    const std::vector<std::vector<std::vector<double>>> running = running_curves(trace, time);
    for (std::size_t g = 0; g < running.size(); ++g)
        for (std::size_t k = 0; k < running[g].size(); ++k)
            if (std::any_of(running[g][k].begin(), running[g][k].end(), [](double n) { return n > 0; }))
                add_curve(columns, "running." + std::to_string(g) + "." + std::to_string(k), running[g][k]);
    const std::vector<std::vector<double>> memory = memory_curves(trace, time);
    for (std::size_t n = 0; n < memory.size(); ++n) add_curve(columns, "memory." + std::to_string(n), memory[n]);
    for (const auto& [link, curve] : link_curves(trace, time))
        add_curve(columns, "link." + std::to_string(link.first) + "." + std::to_string(link.second), curve);
    facts["levels"] = nlohmann::json::array();
    for (const DensityLevel& level : density_levels(trace, of.end, facts["left_out"] > 0)) {
        facts["levels"].push_back(level.parts);
        columns.add("level." + std::to_string(level.parts) + ".kind", level.kind);
        columns.add("level." + std::to_string(level.parts) + ".busy", level.busy);
    }
}

}  // namespace frond::cli

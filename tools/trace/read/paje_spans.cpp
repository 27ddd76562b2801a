// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/paje_spans.hpp"

#include <optional>

namespace frond::cli {
namespace {

bool is_one_of(std::string_view word, std::string_view blank_separated) {
    const std::string padded = ' ' + std::string(word) + ' ';
    return blank_separated.find(padded) != std::string_view::npos;
}

/// Nothing for a task, idle and asleep.
std::optional<StateClass> class_of(std::string_view state) {
    if (is_one_of(state, " Fi Po ")) return StateClass::transfer;
    if (is_one_of(state, " Sc B C Su Bu Th Ps U H ")) return StateClass::overhead;
    return std::nullopt;
}

}  // namespace

/// Joined with the span before where nothing is between them.
void PajeSpans::add_span(int worker, const StateStack::Held& held, double end) {
    const std::optional<StateClass> state = class_of(held.state);
    if (!state) return;
    const auto before = last_span_.find(worker);
    if (before != last_span_.end()) {
        WorkerSpan& span = records_.states[before->second];
        if (span.state == *state && span.end == held.begin) {
            span.end = end;
            return;
        }
    }
    last_span_[worker] = records_.states.size();
    records_.states.push_back({worker, *state, held.begin, end});
}

void PajeSpans::add_node_span(int node, const StateStack::Held& held, double end) {
    if (held.state == "No") return;
    const auto named = node_state_names_.find(held.state);
    records_.node_states.push_back(
        {node, named == node_state_names_.end() ? held.state : named->second, held.begin, end});
}

}  // namespace frond::cli

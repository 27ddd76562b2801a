// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/paje_parts.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace frond::cli {
namespace {

/// "CUDA0_1" as "CUDA 0_1"; its kind is "CUDA". With several ranks "1_CPU0" is "CPU 0 of rank 1".
TraceWorker worker_named(std::string name, bool several_ranks) {
    std::string_view rest = name;
    const int rank = take_rank(rest);
    name = rest;
    std::size_t letters = 0;
    while (letters < name.size() && std::isalpha(static_cast<unsigned char>(name[letters])) != 0) ++letters;
    const std::string kind = name.substr(0, letters);
    if (letters > 0 && letters < name.size() && name[letters] != ' ') name.insert(letters, " ");
    return {several_ranks ? name + " of rank " + std::to_string(rank) : name, kind, 0};
}

/// The number at the end of "w12", behind the letters, and the rank of "3_w12".
int number_of(const PajeEvent& event, std::size_t word) {
    const std::string_view alias = event.word(word);
    std::string_view name = alias;
    const int rank = take_rank(name);
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    int number = 0;
    if (!read_number(name.substr(digits), number)) event.refuse(alias, "the name of a container");
    return ranked_number(rank, number);
}

}  // namespace

void PajeContainers::add(const PajeEvent& event) {
    const std::string_view type = event.word(3);
    const std::string container(event.word(2));
    if (type == "Mm")
        node_of_[container] = node_place(number_of(event, 2));
    else if (type == "P")
        records_.several_ranks = records_.several_ranks || container != "p";
    else if (type == "T")
        parent_of_thread_[container] = node_place(number_of(event, 4));
    else if (type == "W")
        add_worker(event);
}

void PajeContainers::add_worker(const PajeEvent& event) {
    std::string name(event.word(5));
    for (std::size_t i = 6; i < event.words(); ++i) name.append(" ").append(event.word(i));
    const int number = number_of(event, 2);
    worker_of_[std::string(event.word(2))] = number;
    TraceWorker& worker = records_.workers[number] = worker_named(name, records_.several_ranks);
    if (const auto node = found(parent_of_thread_, std::string(event.word(4)))) worker.node = *node;
}

std::optional<int> PajeContainers::found(const Numbers& numbers, const std::string& container) {
    const auto known = numbers.find(container);
    return known == numbers.end() ? std::nullopt : std::optional<int>(known->second);
}

/// The place of a memory node among those of all ranks.
int PajeContainers::node_place(int number) {
    const auto known = std::find(records_.nodes.begin(), records_.nodes.end(), number);
    const auto place = static_cast<int>(known - records_.nodes.begin());
    if (known == records_.nodes.end()) records_.nodes.push_back(number);
    return place;
}

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

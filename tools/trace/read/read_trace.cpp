// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/read_trace.hpp"

#include "arguments/input_paths.hpp"
#include "trace/read/memory_nodes.hpp"
#include "trace/read/paje.hpp"
#include "trace/read/recorded_jobs.hpp"
#include "trace/read/trace_lines.hpp"
#include "trace/records.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace frond::cli {
namespace {

double first_time(const Trace& trace) {
    double first = std::numeric_limits<double>::infinity();
    for (const TraceTask& task : trace.tasks)
        first = std::min(first, task.submitted > 0 ? std::min(task.submitted, task.begin) : task.begin);
    for (const TracePhase& phase : trace.phases) first = std::min(first, phase.begin);
    return first;
}

template <class Records>
void shift_spans(Records& records, double by) {
    for (auto& record : records) {
        record.begin -= by;
        record.end -= by;
    }
}

/// Moves all times, so that the first task or phase begins at 0, and drops what ended before it.
void begin_at_zero(Trace& trace) {
    const double first = first_time(trace);
    shift_spans(trace.tasks, first);
    for (TraceTask& task : trace.tasks) task.submitted = std::max(task.submitted - first, 0.0);
    shift_spans(trace.states, first);
    shift_spans(trace.transfers, first);
    shift_spans(trace.node_states, first);
    shift_spans(trace.phases, first);
    for (MemorySample& sample : trace.memory) sample.time -= first;
    for (TraceNote& note : trace.notes) note.time -= first;
    std::erase_if(trace.states, [](const WorkerSpan& span) { return span.end <= 0; });
    std::erase_if(trace.node_states, [](const NodeSpan& span) { return span.end <= 0; });
}

/// The hues go round by the name, so that a kind has the same color in every trace.
std::uint32_t color_by_name(const std::string& name) {
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    std::uint32_t color = 0;
    for (int part = 0; part < 3; ++part) {
        const double turn = (hash % 360) / 360.0 * 2 * 3.14159265 + part * 2.0943951;
        color = color << 8 | static_cast<std::uint32_t>(150 + 70 * std::cos(turn));
    }
    return color;
}

int kind_of(std::string_view name, const PajeRecords& paje, Trace& trace, std::unordered_map<std::string, int>& place) {
    const std::string kind(name.substr(0, name.find(' ')));
    const auto [known, is_first] = place.try_emplace(kind, static_cast<int>(trace.kinds.size()));
    if (is_first) {
        const auto color = paje.colors.find(kind);
        trace.kinds.push_back({kind, color == paje.colors.end() ? color_by_name(kind) : color->second});
    }
    return known->second;
}

/// Workers in the order of StarPU's numbers; their places by these.
std::unordered_map<int, int> place_workers(const std::vector<RecordedJob>& jobs, PajeRecords& paje, Trace& trace) {
    for (const RecordedJob& job : jobs)
        if (job.worker >= 0 && !paje.workers.contains(job.worker))
            paje.workers[job.worker] = {"worker " + std::to_string(job.worker), "worker", 0};
    std::unordered_map<int, int> places;
    for (const auto& [number, worker] : paje.workers) {
        places[number] = static_cast<int>(trace.workers.size());
        trace.workers.push_back(worker);
    }
    return places;
}

/// Jobs that ran come first, by their begin.
void order_jobs(std::vector<RecordedJob>& jobs) {
    std::stable_sort(jobs.begin(), jobs.end(), [](const RecordedJob& a, const RecordedJob& b) {
        if (a.ended != b.ended) return a.ended;
        return a.ended && a.task.begin < b.task.begin;
    });
}

TraceGraph graph_of(const std::vector<RecordedJob>& jobs) {
    std::unordered_map<std::int64_t, int> node_of_job;
    for (std::size_t j = 0; j < jobs.size(); ++j) node_of_job[jobs[j].task.job] = static_cast<int>(j);
    TraceGraph graph;
    for (const RecordedJob& job : jobs) {
        for (const std::int64_t before : job.depends_on)
            if (const auto node = node_of_job.find(before); node != node_of_job.end())
                graph.before.push_back(node->second);
        graph.first.push_back(static_cast<std::int64_t>(graph.before.size()));
    }
    return graph;
}

/// What a rank received comes after what another sent.
void join_ranks(const std::vector<RecordedMessage>& messages, std::vector<RecordedJob>& jobs) {
    std::unordered_map<std::int64_t, std::size_t> place;
    if (messages.empty()) return;
    for (std::size_t j = 0; j < jobs.size(); ++j) place[jobs[j].task.job] = j;
    for (const RecordedMessage& message : messages)
        if (const auto to = place.find(message.received_before); to != place.end())
            jobs[to->second].depends_on.push_back(message.sent_after);
}

/// Between the main memories of the ranks.
void add_messages(const std::vector<RecordedMessage>& messages, PajeRecords& paje) {
    const auto main_memory = [&paje](int rank) {
        const auto found = std::find(paje.nodes.begin(), paje.nodes.end(), ranked_number(rank, 0));
        return found == paje.nodes.end() ? 0 : static_cast<int>(found - paje.nodes.begin());
    };
    for (const RecordedMessage& m : messages)
        if (m.received > m.sent)
            paje.transfers.push_back({main_memory(m.source), main_memory(m.destination), m.bytes, m.sent, m.received});
    std::stable_sort(paje.transfers.begin(), paje.transfers.end(),
                     [](const TraceTransfer& a, const TraceTransfer& b) { return a.begin < b.begin; });
}

void name_phases(Trace& trace) {
    if (trace.phases.empty()) {
        double last = 0, first = std::numeric_limits<double>::infinity();
        for (const TraceTask& task : trace.tasks) {
            first = std::min(first, task.begin);
            last = std::max(last, task.end);
        }
        trace.phases.push_back({"all tasks", first, last});
    }
    std::sort(trace.phases.begin(), trace.phases.end(),
              [](const TracePhase& a, const TracePhase& b) { return a.begin < b.begin; });
}

/// Takes the tasks that ran; the others are counted.
void take_tasks(const std::unordered_map<int, int>& places, std::vector<RecordedJob>& jobs, const PajeRecords& paje,
                Trace& trace) {
    std::unordered_map<std::string, int> kind_places;
    for (RecordedJob& job : jobs) {
        trace.unfinished += job.worker >= 0 && !job.ended;
        if (!job.ended) continue;
        job.task.kind = kind_of(job.task.name, paje, trace, kind_places);
        job.task.worker = places.at(job.worker);
        trace.tasks.push_back(std::move(job.task));
    }
}

void take_records(const std::unordered_map<int, int>& places, PajeRecords& paje, Trace& trace) {
    for (WorkerSpan& span : paje.states) span.worker = places.at(span.worker);
    trace.states = std::move(paje.states);
    trace.transfers = std::move(paje.transfers);
    trace.node_states = std::move(paje.node_states);
    trace.phases = std::move(paje.phases);
    trace.notes = std::move(paje.notes);
}

}  // namespace

Trace read_trace(const std::string& folder) {
    std::vector<RecordedJob> jobs = read_recorded_jobs(folder + "/tasks.rec");
    PajeRecords paje = read_paje(folder + "/paje.trace");
    const std::vector<RecordedMessage> messages = read_recorded_messages(folder + "/comms.rec");
    join_ranks(messages, jobs);
    add_messages(messages, paje);
    Trace trace;
    order_jobs(jobs);
    const std::unordered_map<int, int> places = place_workers(jobs, paje, trace);
    trace.graph = graph_of(jobs);
    take_memory(jobs, paje, trace);
    take_tasks(places, jobs, paje, trace);
    if (trace.tasks.empty())
        throw path_error(folder, "the trace has no task that ran",
                         "small systems are solved without tasks: trace a larger one");
    take_records(places, paje, trace);
    trace.nodes = node_names(paje);
    begin_at_zero(trace);
    name_phases(trace);
    return trace;
}

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/memory_nodes.hpp"

#include "trace/read/paje.hpp"
#include "trace/read/recorded_jobs.hpp"
#include "trace/read/trace_lines.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace frond::cli {
namespace {

/// One life of a handle; StarPU gives addresses again.
struct HandleLife {
    double from = 0, until = 0;
    double used_from = std::numeric_limits<double>::infinity();
    double bytes = 0;
};

using HandleLives = std::unordered_map<std::uint64_t, std::vector<HandleLife>>;

HandleLives lives_of(const std::vector<HandleEvent>& events, double last) {
    HandleLives lives;
    for (const HandleEvent& event : events) {
        std::vector<HandleLife>& of_handle = lives[event.handle];
        if (event.known)
            of_handle.push_back({event.time, last});
        else if (!of_handle.empty())
            of_handle.back().until = event.time;
    }
    return lives;
}

void count_access(HandleLives& lives, const RecordedAccess& access, double begin) {
    const auto found = lives.find(access.handle);
    if (found == lives.end() || found->second.empty()) return;
    const auto after = std::upper_bound(found->second.begin(), found->second.end(), begin,
                                        [](double time, const HandleLife& life) { return time < life.from; });
    HandleLife& life = after == found->second.begin() ? *after : *(after - 1);
    life.used_from = std::min(life.used_from, begin);
    life.bytes = std::max(life.bytes, access.bytes);
}

/// Adds the memory of one rank, whose node 0 has this number.
void add_memory(const std::vector<RecordedJob>& jobs, const std::vector<HandleEvent>& events, int rank, int place,
                double last, std::vector<MemorySample>& samples) {
    std::vector<HandleEvent> mine;
    std::copy_if(events.begin(), events.end(), std::back_inserter(mine),
                 [rank](const HandleEvent& event) { return event.rank == rank; });
    HandleLives lives = lives_of(mine, last);
    for (const RecordedJob& job : jobs)
        if (job.ended && job.rank == rank)
            for (const RecordedAccess& access : job.accesses) count_access(lives, access, job.task.begin);
    std::vector<std::pair<double, double>> changes;
    for (const auto& [handle, of_handle] : lives)
        for (const HandleLife& life : of_handle) {
            if (life.bytes <= 0 || life.used_from >= life.until) continue;
            changes.emplace_back(life.used_from, life.bytes);
            changes.emplace_back(life.until, -life.bytes);
        }
    std::sort(changes.begin(), changes.end());
    double bytes = 0;
    for (const auto& [time, change] : changes) samples.push_back({place, time, bytes += change});
}

/// Memory of the data that tasks work on: a handle counts from the begin of the first task that uses it until StarPU
/// no longer knows it, with the largest size that a task saw. For node 0, of which StarPU does not count what the
/// application allocates. Ascending by time. nodes: as PajeRecords has them; each rank has a node 0 of its own.
std::vector<MemorySample> memory_of_handles(const std::vector<RecordedJob>& jobs,
                                            const std::vector<HandleEvent>& events, const std::vector<int>& nodes,
                                            double last) {
    std::vector<MemorySample> samples;
    for (std::size_t place = 0; place < nodes.size(); ++place)
        if (nodes[place] % ranked_number(1, 0) == 0)
            add_memory(jobs, events, nodes[place] / ranked_number(1, 0), static_cast<int>(place), last, samples);
    std::stable_sort(samples.begin(), samples.end(),
                     [](const MemorySample& a, const MemorySample& b) { return a.time < b.time; });
    return samples;
}

/// "CUDA 0_1 of rank 2" as "CUDA 0 of rank 2".
std::string without_worker_of_card(std::string name) {
    const std::size_t line = name.find('_');
    if (line != std::string::npos) name.erase(line, std::min(name.find(' ', line), name.size()) - line);
    return name;
}

bool is_main_memory(const PajeRecords& paje, const MemorySample& sample) {
    return paje.nodes[static_cast<std::size_t>(sample.node)] % ranked_number(1, 0) == 0;
}

}  // namespace

std::vector<std::string> node_names(const PajeRecords& paje) {
    std::vector<std::string> names;
    for (const int ranked : paje.nodes) {
        const int rank = ranked / ranked_number(1, 0), node = ranked % ranked_number(1, 0);
        const std::string of_rank = paje.several_ranks ? " of rank " + std::to_string(rank) : "";
        names.push_back(node == 0 ? "main memory" + of_rank : "memory " + std::to_string(node) + of_rank);
    }
    if (names.empty()) names.emplace_back("main memory");
    for (const auto& [number, worker] : paje.workers)
        if (worker.node > 0 && worker.node < static_cast<int>(names.size()) && worker.kind != "CPU")
            names[static_cast<std::size_t>(worker.node)] = "memory of " + without_worker_of_card(worker.name);
    return names;
}

void take_memory(const std::vector<RecordedJob>& jobs, PajeRecords& paje, Trace& trace) {
    const bool counted = std::any_of(paje.memory.begin(), paje.memory.end(), [&paje](const MemorySample& sample) {
        return is_main_memory(paje, sample) && sample.bytes > 0;
    });
    trace.memory = std::move(paje.memory);
    if (!counted) {
        std::erase_if(trace.memory, [&paje](const MemorySample& sample) { return is_main_memory(paje, sample); });
        const std::vector<MemorySample> of_handles = memory_of_handles(jobs, paje.handles, paje.nodes, paje.last);
        trace.memory.insert(trace.memory.end(), of_handles.begin(), of_handles.end());
        trace.memory_of_handles = true;
    }
    std::stable_sort(trace.memory.begin(), trace.memory.end(),
                     [](const MemorySample& a, const MemorySample& b) { return a.time < b.time; });
}

}  // namespace frond::cli

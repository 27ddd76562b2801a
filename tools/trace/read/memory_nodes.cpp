// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/memory_nodes.hpp"

#include "trace/read/fields.hpp"
#include "trace/read/handle_memory.hpp"

#include <algorithm>

namespace frond::cli {
namespace {

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

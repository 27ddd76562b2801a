// SPDX-License-Identifier: BSD-3-Clause
// For the sources of SimulatedRank alone.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/insert_task.hpp"
#include "simulated/simulated_rank.hpp"

namespace frond::detail {

/// What a handle of StarPU is to the graph.
inline OrderedData& data_of(StepGraph& graph, starpu_data_handle_t handle) {
    void* const kept = starpu_data_get_user_data(handle);
    if (kept != nullptr) return *static_cast<OrderedData*>(kept);
    OrderedData& data = graph.add_data();
    starpu_data_set_user_data(handle, &data);
    return data;
}

struct SimulatedRank::Task {
    /// Where the data must be; of ranks without cards none is listed.
    struct Use {
        OrderedData* data;
        count_t bytes;
        starpu_data_access_mode mode;
        bool on_host;  // also where a card runs the task
    };

    explicit Task(TaskCall& call)
        : job(call.job), codelet(call.codelet), arguments(std::move(call.memory)), after(call.after) {}
    const TaskArguments& described() const { return *static_cast<const TaskArguments*>(arguments.get()); }

    Job& job;
    starpu_codelet& codelet;
    std::unique_ptr<void, FreeMemory> arguments;
    AfterTask after;
    std::uint32_t where = STARPU_CPU;
    double card_seconds = 0;
    std::vector<Use> uses;
    std::shared_ptr<Step> step = std::make_shared<Step>();
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "handles/simulated_tasks.hpp"
#include "messages/channel.hpp"
#include "simulated/simulated_cores.hpp"
#include "simulated/step_graph.hpp"
#include "simulated/traffic.hpp"

namespace frond::detail {

/// What all ranks have in common while they are simulated. One at a time.
struct SimulatedWorld {
    explicit SimulatedWorld(const SimulatedCluster& cluster);
    SimulatedWorld(const SimulatedWorld&) = delete;
    SimulatedWorld& operator=(const SimulatedWorld&) = delete;
    ~SimulatedWorld();

    SimulatedTime time;
    StepGraph graph;
    Traffic traffic;
};

/// One rank: takes its tasks and its messages, and lets their time pass.
class SimulatedRank final : public SimulatedTasks {
public:
    SimulatedRank(SimulatedWorld& world, index_t rank, index_t ranks, index_t cores)
        : world_(world), rank_(rank), ranks_(ranks), cores_(world.time, cores) {}
    SimulatedRank(const SimulatedRank&) = delete;
    SimulatedRank& operator=(const SimulatedRank&) = delete;

    void submit(Job& job, starpu_codelet& codelet, void* arguments, std::span<const Access> accesses, int priority,
                AfterTask after) override;
    /// The other ranks have the same. This object must outlive its messages.
    std::shared_ptr<Channel> channel();

    double busy_seconds() const noexcept { return cores_.busy_seconds(); }
    double submit_seconds() const noexcept { return submit_seconds_; }
    /// Of messages that have ended.
    const MessageCounts& counts() const noexcept { return counts_; }

private:
    struct Task;
    class DoorOfRank;
    void run(const std::shared_ptr<Task>& task);
    void end(Task& task, double begun);
    void post(starpu_data_handle_t data, index_t other, std::int64_t tag, AfterMessage after, bool sends);

    SimulatedWorld& world_;
    index_t rank_, ranks_;
    SimulatedCores cores_;
    MessageCounts counts_;
    count_t pending_ = 0;  // messages
    double submit_seconds_ = 0;
};

}  // namespace frond::detail

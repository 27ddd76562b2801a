// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "engine/insert_task.hpp"
#include "messages/channel.hpp"
#include "simulated/card_branches.hpp"
#include "simulated/card_copies.hpp"
#include "simulated/simulated_workers.hpp"
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
class SimulatedRank final : public TaskEngine {
public:
    SimulatedRank(SimulatedWorld& world, Rank rank, index_t ranks, CoresAndCards workers);
    SimulatedRank(const SimulatedRank&) = delete;
    SimulatedRank& operator=(const SimulatedRank&) = delete;

    /// Whose actor is running; null: none.
    static SimulatedRank* of_this_actor() noexcept {
        const SimulatedTime* const time = SimulatedTime::running();
        return time == nullptr ? nullptr : static_cast<SimulatedRank*>(time->owner_of_actor());
    }
    /// Tasks of ranks keep data that are registered with StarPU.
    static void release_when_unused(starpu_data_handle_t handle);
    /// To the memory of a card, from that of another card of the rank.
    static void begin_to_copy(starpu_data_handle_t handle, unsigned node);

    void submit(TaskCall call) override;
    bool runs_at_once() const noexcept override { return false; }
    /// The cards begin with them. Tasks of these fronts that come later are part of them: they take no time, and wait for the
    /// block of their branch. [fronts] of the tree. Once a factorization, before its first task.
    void begin_branches(const std::vector<BranchTask>& tasks, index_t fronts);
    /// The other ranks have the same. This object must outlive its messages.
    std::shared_ptr<Channel> channel();

    const SimulatedWorkers& workers() const noexcept { return workers_; }
    const CardLinks& links() const noexcept { return links_; }
    double submit_seconds() const noexcept { return submit_seconds_; }
    /// The counts of messages that have ended.
    const MessageCounts& counts() const noexcept { return counts_; }

private:
    struct Task;
    /// A branch.
    struct Gate {
        OrderedData* block = nullptr;  // written when it is in the host's memory
        bool is_counted = false;
    };
    class DoorOfRank;
    void describe_places(Task& task, std::span<const Access> accesses) const;
    void make_ready(const std::shared_ptr<Task>& task, int priority);
    /// Null: the front is in no branch.
    Gate* gate_of(index_t front);
    void wait_for_branch(const std::shared_ptr<Task>& task, const Gate& gate);
    void run_branches(const BranchTask& task, const std::vector<std::shared_ptr<Step>>& blocks);
    index_t card_for(const Task& task) const;
    double bring_data(const Task& task, index_t place);
    void begin_on_core(const std::shared_ptr<Task>& task);
    void begin_on_card(const std::shared_ptr<Task>& task, index_t card, double ahead);
    void expect_room(index_t card) const;
    void run(const std::shared_ptr<Task>& task);
    void end(Task& task, double seconds);
    void post(starpu_data_handle_t data, index_t other, std::int64_t tag, AfterMessage after, bool sends);
    /// When the data are in the host's memory, where messages begin and end.
    double bring_to_host(OrderedData& data, Step& step, bool written);

    SimulatedWorld& world_;
    index_t rank_, ranks_;
    SimulatedWorkers workers_;
    CardLinks links_;
    std::vector<Gate> gates_;
    std::vector<index_t> gate_of_front_;  // [fronts]; -1: none; empty: no branches
    MessageCounts counts_;
    count_t pending_ = 0;  // messages
    double submit_seconds_ = 0;
};

}  // namespace frond::detail

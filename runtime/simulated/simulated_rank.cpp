// SPDX-License-Identifier: BSD-3-Clause
#include "simulated/simulated_rank.hpp"

#include <utility>

#include "frond/base/error.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/simulated_machine.hpp"
#include "engine/data_handle.hpp"
#include "simulated/simulated_task.hpp"

namespace frond::detail {
namespace {

/// The world of handles that are released where no rank is at hand.
SimulatedWorld* world_in_use = nullptr;

/// What StarPU-MPI would send.
std::int64_t message_bytes(starpu_data_handle_t data) {
    const starpu_data_interface_id kind = starpu_data_get_interface_id(data);
    if (kind == STARPU_MATRIX_INTERFACE_ID || kind == STARPU_VECTOR_INTERFACE_ID)  // which may have no memory yet
        return static_cast<std::int64_t>(starpu_data_get_size(data));
    starpu_ssize_t bytes = 0;
    const starpu_data_interface_ops& operations = *starpu_data_get_interface_ops(data);
    if (operations.pack_data == nullptr || operations.interfaceid == STARPU_VOID_INTERFACE_ID) return 0;
    if (operations.pack_data(data, STARPU_MAIN_RAM, nullptr, &bytes) != 0)
        throw RuntimeError("StarPU does not tell the size of a message");
    return bytes;
}

}  // namespace

void SimulatedRank::release_when_unused(starpu_data_handle_t handle) {
    void* const kept = starpu_data_get_user_data(handle);
    const auto unregister = [handle] { starpu_data_unregister_no_coherency(handle); };
    if (kept == nullptr || world_in_use == nullptr) return unregister();
    world_in_use->graph.release(*static_cast<OrderedData*>(kept), unregister);
}

void SimulatedRank::begin_to_copy(starpu_data_handle_t handle, unsigned node) {
    const auto* const data = static_cast<const OrderedData*>(starpu_data_get_user_data(handle));
    if (data == nullptr || data->copies == nullptr || world_in_use == nullptr) return;
    const index_t place = CardLinks::place_of(starpu_memory_node_get_devid(node));
    data->copies->links.bring(*data->copies, place, world_in_use->time.now());
}

SimulatedWorld::SimulatedWorld(const SimulatedCluster& cluster) : traffic(time, cluster) { world_in_use = this; }
SimulatedWorld::~SimulatedWorld() { world_in_use = nullptr; }

SimulatedRank::SimulatedRank(SimulatedWorld& world, Rank rank, index_t ranks, CoresAndCards workers)
    : world_(world),
      rank_(static_cast<index_t>(rank)),
      ranks_(ranks),
      workers_(world.time, workers),
      links_(simulated_hardware().card_links, workers.cards) {}

/// The first task of a branch counts as its task, and the others take no time.
void SimulatedRank::submit(TaskCall call) {
    const auto task = std::make_shared<Task>(call);
    for (const Access& access : call.accesses)
        world_.graph.use(task->step, data_of(world_.graph, access.handle), (access.mode & STARPU_W) != 0);
    auto& arguments = *static_cast<TaskArguments*>(task->arguments.get());
    const double flops = arguments.flops, seconds = time_model("submit").seconds;
    Gate* const gate = gate_of(arguments.label.front);
    const bool counts = gate == nullptr || !std::exchange(gate->is_counted, true);
    if (gate != nullptr) {
        wait_for_branch(task, *gate);
    } else {
        if (workers_.cards() > 0) describe_places(*task, call.accesses);
        task->step->begin = [this, task, priority = call.priority] { make_ready(task, priority); };
    }
    arguments.order = call.job.submitted();
    call.job.task_submitted();
    if (counts) call.job.count_submission();
    if (counts) submit_seconds_ += seconds;
    world_.graph.submit(*task->step);
    call.job.add_flops(flops);
    if (counts) pass_processor_seconds(seconds);
}

SimulatedRank::Gate* SimulatedRank::gate_of(index_t front) {
    if (gate_of_front_.empty() || front < 0 || gate_of_front_[at(front)] < 0) return nullptr;
    return &gates_[at(gate_of_front_[at(front)])];
}

void SimulatedRank::begin_on_core(const std::shared_ptr<Task>& task) {
    const double there = bring_data(*task, CardLinks::host);
    if (there <= world_.time.now()) return run(task);
    world_.time.at(there, [this, task] { run(task); });
}

void SimulatedRank::run(const std::shared_ptr<Task>& task) {
    const double begun = world_.time.now();
    const auto ended = [this, task, begun] {
        const double seconds = world_.time.now() - begun;
        end(*task, seconds);
        workers_.end_on_core(seconds);
    };
    if ((task->codelet.flags & STARPU_CODELET_SIMGRID_EXECUTE) != 0)
        return world_.time.start(
            [task, ended] {
                task->codelet.cpu_funcs[0](nullptr, task->arguments.get());
                ended();
            },
            this);
    const double seconds = task->job.stopped() ? 0 : simulated_core_seconds(task->described());
    world_.time.at(begun + seconds, ended);
}

void SimulatedRank::end(Task& task, double seconds) {
    if (task.after.function != nullptr) task.after.function(task.after.argument);
    task.job.task_ended();
    world_.graph.end(*task.step, task.step->path_seconds + seconds);
}

/// Both ends of a message are steps: one reads the data, the other writes them.
void SimulatedRank::post(starpu_data_handle_t data, index_t other, std::int64_t tag, AfterMessage after, bool sends) {
    const std::int64_t bytes = message_bytes(data);
    const auto step = std::make_shared<Step>();
    OrderedData& ordered = data_of(world_.graph, data);
    world_.graph.use(step, ordered, !sends);
    ++pending_;
    const auto leave = [=, this] {
        const auto ended = [=, this](double path_seconds) {
            --pending_;
            ++(sends ? counts_.sent_messages : counts_.received_messages);
            (sends ? counts_.sent_bytes : counts_.received_bytes) += bytes;
            world_.graph.end(*step, path_seconds);
            if (after.function != nullptr) after.function(after.argument, MessageEnd::done);
        };
        if (sends)
            world_.traffic.send({rank_, other, tag}, {bytes, step->path_seconds, ended});
        else
            world_.traffic.receive({other, rank_, tag}, {bytes, step->path_seconds, ended});
    };
    step->begin = [this, &ordered, step = step.get(), sends, leave] {
        const double there = bring_to_host(ordered, *step, !sends);
        if (there <= world_.time.now()) return leave();
        world_.time.at(there, leave);
    };
    world_.graph.submit(*step);
}

/// Factors that outlive the rank ask for its number.
class SimulatedRank::DoorOfRank final : public Channel {
public:
    explicit DoorOfRank(SimulatedRank& of) : of_(of), rank_(of.rank_), ranks_(of.ranks_) {}

    index_t rank() const noexcept override { return rank_; }
    index_t ranks() const noexcept override { return ranks_; }
    void send(starpu_data_handle_t data, index_t rank, const MessageTag& tag, int, AfterMessage after,
              MessagePlace) override {
        of_.post(data, rank, tag.packed(), after, true);
    }
    void receive(starpu_data_handle_t data, index_t rank, const MessageTag& tag, AfterMessage after,
                 MessagePlace) override {
        of_.post(data, rank, tag.packed(), after, false);
    }
    MessageCounts counts() const noexcept override { return of_.counts_; }
    count_t pending() const noexcept override { return of_.pending_; }

private:
    SimulatedRank& of_;
    index_t rank_, ranks_;
};

std::shared_ptr<Channel> SimulatedRank::channel() { return std::make_shared<DoorOfRank>(*this); }

}  // namespace frond::detail

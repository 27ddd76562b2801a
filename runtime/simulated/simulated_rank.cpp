// SPDX-License-Identifier: BSD-3-Clause
#include "simulated/simulated_rank.hpp"

#include <cstdlib>
#include <utility>

#include "handles/data_handle.hpp"
#include "handles/insert_task.hpp"

namespace frond::detail {
namespace {

/// What a handle of StarPU is to the graph.
OrderedData& data_of(StepGraph& graph, starpu_data_handle_t handle) {
    void* const kept = starpu_data_get_user_data(handle);
    if (kept != nullptr) return *static_cast<OrderedData*>(kept);
    OrderedData& data = graph.add_data();
    starpu_data_set_user_data(handle, &data);
    return data;
}

/// For handles that are released where no rank is at hand.
StepGraph* graph_in_use = nullptr;

/// What StarPU-MPI would send.
std::int64_t message_bytes(starpu_data_handle_t data) {
    starpu_ssize_t bytes = 0;
    const starpu_data_interface_ops& operations = *starpu_data_get_interface_ops(data);
    if (operations.pack_data == nullptr || operations.interfaceid == STARPU_VOID_INTERFACE_ID) return 0;
    if (operations.pack_data(data, STARPU_MAIN_RAM, nullptr, &bytes) != 0)
        throw RuntimeError("StarPU does not tell the size of a message");
    return bytes;
}

}  // namespace

void SimulatedTasks::release_when_unused(starpu_data_handle_t handle) {
    void* const kept = starpu_data_get_user_data(handle);
    const auto unregister = [handle] { starpu_data_unregister_no_coherency(handle); };
    if (kept == nullptr || graph_in_use == nullptr) return unregister();
    graph_in_use->release(*static_cast<OrderedData*>(kept), unregister);
}

SimulatedWorld::SimulatedWorld(const SimulatedCluster& cluster) : traffic(time, cluster) { graph_in_use = &graph; }
SimulatedWorld::~SimulatedWorld() { graph_in_use = nullptr; }

struct SimulatedRank::Task {
    Task(Job& of, starpu_codelet& what, void* with, AfterTask afterwards)
        : job(of), codelet(what), arguments(with, std::free), after(afterwards) {}

    Job& job;
    starpu_codelet& codelet;
    std::unique_ptr<void, void (*)(void*)> arguments;
    AfterTask after;
    std::shared_ptr<Step> step = std::make_shared<Step>();
};

void SimulatedRank::submit(Job& job, starpu_codelet& codelet, void* arguments, std::span<const Access> accesses,
                           int priority, AfterTask after) {
    const auto task = std::make_shared<Task>(job, codelet, arguments, after);
    for (const Access& access : accesses)
        world_.graph.use(task->step, data_of(world_.graph, access.handle), (access.mode & STARPU_W) != 0);
    task->step->begin = [this, task, priority] { cores_.add(priority, [this, task] { run(task); }); };
    static_cast<TaskArguments*>(arguments)->order = job.submitted();
    job.task_submitted();
    job.count_submission();
    submit_seconds_ += time_model("submit").seconds;
    world_.graph.submit(*task->step);
}

void SimulatedRank::run(const std::shared_ptr<Task>& task) {
    const double begun = world_.time.now();
    void* const arguments = task->arguments.get();
    if ((task->codelet.flags & STARPU_CODELET_SIMGRID_EXECUTE) != 0)
        return world_.time.start(
            [this, task, begun] {
                task->codelet.cpu_funcs[0](nullptr, task->arguments.get());
                end(*task, begun);
            },
            this);
    const double seconds =
        task->job.stopped() ? 0 : simulated_core_seconds(*static_cast<const TaskArguments*>(arguments));
    world_.time.at(begun + seconds, [this, task, begun] { end(*task, begun); });
}

void SimulatedRank::end(Task& task, double begun) {
    if (task.after.function != nullptr) task.after.function(task.after.argument);
    task.job.task_ended();
    world_.graph.end(*task.step, task.step->path_seconds + world_.time.now() - begun);
    cores_.end(begun);
}

/// Both ends of a message are steps: one reads the data, the other writes them.
void SimulatedRank::post(starpu_data_handle_t data, index_t other, std::int64_t tag, AfterMessage after, bool sends) {
    const std::int64_t bytes = message_bytes(data);
    const auto step = std::make_shared<Step>();
    world_.graph.use(step, data_of(world_.graph, data), !sends);
    ++pending_;
    step->begin = [=, this] {
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
    world_.graph.submit(*step);
}

/// Factors that outlive the rank ask for its number.
class SimulatedRank::DoorOfRank final : public Channel {
public:
    explicit DoorOfRank(SimulatedRank& of) : of_(of), rank_(of.rank_), ranks_(of.ranks_) {}

    index_t rank() const noexcept override { return rank_; }
    index_t ranks() const noexcept override { return ranks_; }
    void send(starpu_data_handle_t data, index_t rank, const MessageTag& tag, int, AfterMessage after) override {
        of_.post(data, rank, tag.packed(), after, true);
    }
    void receive(starpu_data_handle_t data, index_t rank, const MessageTag& tag, AfterMessage after) override {
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

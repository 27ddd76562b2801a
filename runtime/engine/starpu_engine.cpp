// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "frond/codelets/starpu_start.hpp"
#include "engine/engines.hpp"

namespace frond::detail {
namespace {

struct DiscardTask {
    void operator()(starpu_task* task) const {
        task->destroy = 0;
        starpu_task_destroy(task);
    }
};
/// A task with all that is its own, until StarPU has it.
using NewTask = std::unique_ptr<starpu_task, DiscardTask>;

NewTask new_task() {
    NewTask task(starpu_task_create());
    if (task == nullptr) throw OutOfMemory("no memory for a task");
    return task;
}

/// Travels with a task to its end, and its name behind it, which ends with a zero.
struct Ending {
    Job* job;
    AfterTask after;
};
using NewEnding = std::unique_ptr<Ending, FreeMemory>;

/// The kind alone, or where a trace is recorded, all that is known.
NewEnding make_ending(const TaskCall& call) {
    std::array<char, most_of_task_name> name{};
    if (StarpuStart::is_traced())
        write_task_name(call.codelet.name, call.arguments().label, call.job.iteration(), name);
    const std::size_t length = std::strlen(name.data());
    NewEnding ending(static_cast<Ending*>(std::malloc(sizeof(Ending) + length + 1)));
    if (ending == nullptr) throw OutOfMemory("no memory for a task");
    *ending = {&call.job, call.after};
    std::memcpy(ending.get() + 1, name.data(), length + 1);
    return ending;
}

/// Null: that of the codelet.
const char* name_of(const Ending* ending) {
    const char* const name = reinterpret_cast<const char*>(ending + 1);
    return *name != '\0' ? name : nullptr;
}

void end_task(void* raw) {
    const Ending ending = *static_cast<Ending*>(raw);
    if (ending.after.function != nullptr) ending.after.function(ending.after.argument);
    ending.job->task_ended();
}

/// Above StarPU's static limit the arrays are the task's own, freed by StarPU with it.
void make_room_for_accesses(starpu_task& task, std::size_t count) {
    task.nbuffers = static_cast<int>(count);
    if (count <= STARPU_NMAXBUFS) return;
    task.dyn_handles = static_cast<starpu_data_handle_t*>(std::malloc(count * sizeof *task.dyn_handles));
    task.dyn_modes = static_cast<starpu_data_access_mode*>(std::malloc(count * sizeof *task.dyn_modes));
    if (task.dyn_handles == nullptr || task.dyn_modes == nullptr)
        throw OutOfMemory("no memory for the data accesses of a task");
}

void set_access(starpu_task& task, std::size_t i, starpu_data_handle_t handle, starpu_data_access_mode mode) {
    (task.dyn_handles != nullptr ? task.dyn_handles : task.handles)[i] = handle;
    (task.dyn_modes != nullptr ? task.dyn_modes : task.modes)[i] = mode;
}

/// Which workers may run it.
void set_place(starpu_task& task, const Job& job, const TaskArguments& arguments) {
    const std::uint32_t where = where_of(job, *task.cl, arguments);
    if (where != 0) task.where = where;
    if (arguments.worker < 0) return;
    task.execute_on_a_specific_worker = 1;
    task.workerid = static_cast<unsigned>(arguments.worker);
}

/// The task has what the call had.
NewTask make_task(TaskCall& call) {
    NewEnding ending = make_ending(call);
    NewTask task = new_task();
    task->name = name_of(ending.get());
    task->cl = &call.codelet;
    task->cl_arg = call.memory.release();
    task->cl_arg_size = call.size;
    task->cl_arg_free = 1;
    task->callback_func = end_task;
    task->callback_arg = ending.release();
    task->callback_arg_free = 1;
    const auto& arguments = *static_cast<const TaskArguments*>(task->cl_arg);
    task->priority = std::clamp(call.priority, starpu_sched_get_min_priority(), starpu_sched_get_max_priority());
    task->flops = arguments.flops;
    set_place(*task, call.job, arguments);
    make_room_for_accesses(*task, call.accesses.size());
    for (std::size_t i = 0; i < call.accesses.size(); ++i)
        set_access(*task, i, call.accesses[i].handle, call.accesses[i].mode);
    return task;
}

void end_again(void* deferral) { static_cast<Deferral*>(deferral)->ended_again(); }

}  // namespace

void StarpuEngine::submit(TaskCall call) {
    NewTask task = make_task(call);
    before_submission(*task);
    auto& arguments = *static_cast<TaskArguments*>(task->cl_arg);
    const double flops = arguments.flops;
    arguments.order = call.job.submitted();
    call.job.task_submitted();
    task_is_submitted(&arguments);
    const int status = starpu_task_submit(task.get());
    if (status != 0) {
        call.job.task_ended();
        throw RuntimeError(std::string("StarPU refused a ") + task->cl->name + " task with code " +
                           std::to_string(status) + (status == -ENODEV ? ": no worker can run it" : ""));
    }
    static_cast<void>(task.release());
    call.job.count_submission();
    after_submission(call.job, flops);
}

void submit_again(Deferral& deferral) {
    starpu_task& first = *deferral.task();
    NewTask task = new_task();
    task->name = first.name;
    task->cl = first.cl;
    task->cl_arg = first.cl_arg;
    task->cl_arg_size = first.cl_arg_size;
    task->callback_func = end_again;
    task->callback_arg = &deferral;
    task->priority = first.priority;
    task->flops = first.flops;
    task->where = first.where;
    // Tasks that wait for the first run would come before this one.
    task->sequential_consistency = 0;
    make_room_for_accesses(*task, STARPU_TASK_GET_NBUFFERS(&first));
    for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(&first); ++i)
        set_access(*task, i, STARPU_TASK_GET_HANDLE(&first, i), STARPU_TASK_GET_MODE(&first, i));
    task_is_submitted(task->cl_arg);
    const int status = starpu_task_submit(task.get());
    if (status != 0)
        throw RuntimeError("StarPU refused a task that it ran before, with code " + std::to_string(status));
    static_cast<void>(task.release());
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "handles/insert_task.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "frond/codelets/simulated_bounds.hpp"
#include "frond/codelets/simulation.hpp"
#include "frond/codelets/time_models.hpp"
#include "handles/describe_work.hpp"
#include "handles/new_task.hpp"
#include "handles/simulated_tasks.hpp"

namespace frond::detail {
namespace {

/// Which workers may run it.
void set_place(starpu_task& task, const Job& job, const TaskArguments& arguments) {
    const std::uint32_t where = where_of(job, *task.cl, arguments);
    if (where != 0) task.where = where;
    if (arguments.worker < 0) return;
    task.execute_on_a_specific_worker = 1;
    task.workerid = static_cast<unsigned>(arguments.worker);
}

/// Gives the task, which the job counts from now on, to StarPU.
void submit_counted(Job& job, NewTask task) {
    auto& arguments = *static_cast<TaskArguments*>(task->cl_arg);
    arguments.order = job.submitted();
    job.task_submitted();
    task_is_submitted(&arguments);
    const int status = starpu_task_submit(task.get());
    if (status != 0) {
        job.task_ended();
        throw RuntimeError(std::string("StarPU refused a ") + task->cl->name + " task with code " +
                           std::to_string(status) + (status == -ENODEV ? ": no worker can run it" : ""));
    }
    static_cast<void>(task.release());
    job.count_submission();
}

std::vector<Access> accesses_of(const starpu_task& task) {
    std::vector<Access> accesses;
    for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(&task); ++i)
        accesses.push_back({STARPU_TASK_GET_HANDLE(&task, i), STARPU_TASK_GET_MODE(&task, i)});
    return accesses;
}

void end_again(void* deferral) { static_cast<Deferral*>(deferral)->ended_again(); }

/// A simulated one takes its time alone, but for what its body does in a simulation.
void run_body(const starpu_codelet& codelet, std::vector<void*>& interfaces, void* arguments) {
    if (is_simulation && (codelet.flags & STARPU_CODELET_SIMGRID_EXECUTE) == 0)
        pass_simulated_seconds(simulated_core_seconds(*static_cast<const TaskArguments*>(arguments)));
    else
        codelet.cpu_funcs[0](interfaces.data(), arguments);
}

/// For the bounds of the simulation.
void note_if_simulated(starpu_task& task) {
    if constexpr (!is_simulation) return;
    const auto& arguments = *static_cast<const TaskArguments*>(task.cl_arg);
    const std::string kind = name_of_kind(arguments.task_kind, arguments.variant);
    note_simulated_task(task, kind.c_str(), time_model("submit").seconds);
}

/// What the submission took; no body will count the operations.
void pass_if_simulated(Job& job, double flops) {
    if constexpr (!is_simulation) return;
    job.add_flops(flops);
    pass_processor_seconds(time_model("submit").seconds);
}

/// The task's body, on this thread.
void run_here(Job& job, starpu_codelet& codelet, void* arguments, std::span<const Access> accesses, AfterTask after) {
    std::vector<void*> interfaces;
    for (const Access& access : accesses)
        interfaces.push_back(starpu_data_get_interface_on_node(access.handle, STARPU_MAIN_RAM));
    job.task_submitted();
    job.count_submission();
    if constexpr (is_simulation) job.add_flops(static_cast<const TaskArguments*>(arguments)->flops);
    run_body(codelet, interfaces, arguments);
    if (after.function != nullptr) after.function(after.argument);
    job.task_ended();
}

}  // namespace

void submit_again(Deferral& deferral) {
    const starpu_task& first = *deferral.task();
    NewTask task(starpu_task_create());
    if (task == nullptr) throw OutOfMemory("no memory for a task");
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
    set_accesses(*task, accesses_of(first));
    task_is_submitted(task->cl_arg);
    const int status = starpu_task_submit(task.get());
    if (status != 0)
        throw RuntimeError("StarPU refused a task that it ran before, with code " + std::to_string(status));
    static_cast<void>(task.release());
}

std::uint32_t where_of(const Job& job, const starpu_codelet& codelet, const TaskArguments& arguments) noexcept {
    if (job.is_kept_to_cores()) return STARPU_CPU;
    // 0: it runs on cores only.
    const std::uint32_t device = codelet.cuda_funcs[0] != nullptr  ? STARPU_CUDA
                                 : codelet.hip_funcs[0] != nullptr ? STARPU_HIP
                                                                   : 0;
    if (arguments.place == Place::device && device != 0) return device;
    if (job.has_fixed_places()) return device != 0 ? device : STARPU_CPU;
    return 0;
}

void submit_raw(Job& job, starpu_codelet& codelet, void* memory, std::size_t size, std::span<const Access> accesses,
                int priority, double flops, AfterTask after) {
    std::unique_ptr<void, FreeMemory> owned(memory);
    auto& arguments = *static_cast<TaskArguments*>(memory);
    if (job.runs_at_once()) {
        describe_work(arguments, codelet, accesses);
        return run_here(job, codelet, memory, accesses, after);
    }
    if constexpr (is_simulation)
        if (SimulatedTasks* const rank = SimulatedTasks::of_this_actor()) {
            describe_work(arguments, codelet, accesses);
            const bool takes_time = rank->submit(job, codelet, owned.release(), accesses, priority, after);
            return takes_time ? pass_if_simulated(job, flops) : job.add_flops(flops);
        }
    NewTask task = make_task(job, codelet, std::move(owned), size, after);
    task->priority = std::clamp(priority, starpu_sched_get_min_priority(), starpu_sched_get_max_priority());
    task->flops = flops;
    set_place(*task, job, arguments);
    set_accesses(*task, accesses);
    describe_work(arguments, codelet, accesses);
    note_if_simulated(*task);
    submit_counted(job, std::move(task));
    pass_if_simulated(job, flops);
}

}  // namespace frond::detail

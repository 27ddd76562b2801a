// SPDX-License-Identifier: BSD-3-Clause
#include "handles/insert_task.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "frond/codelets/simulated_bounds.hpp"
#include "frond/codelets/simulation.hpp"
#include "frond/codelets/starpu_start.hpp"
#include "frond/codelets/time_models.hpp"
#include "handles/describe_work.hpp"
#include "handles/simulated_tasks.hpp"

namespace frond::detail {
namespace {

/// Travels with a task to its end, and its name behind it, which ends with a zero.
struct Ending {
    Job* job;
    AfterTask after;
};

/// The kind alone, or where a trace is recorded, all that is known. Null: no memory.
Ending* make_ending(Job& job, const starpu_codelet& codelet, const TaskLabel& label, AfterTask after) {
    std::array<char, most_of_task_name> name{};
    if (StarpuStart::is_traced()) write_task_name(codelet.name, label, job.iteration(), name);
    const std::size_t length = std::strlen(name.data());
    auto* const ending = static_cast<Ending*>(std::malloc(sizeof(Ending) + length + 1));
    if (ending == nullptr) return nullptr;
    *ending = {&job, after};
    std::memcpy(ending + 1, name.data(), length + 1);
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
bool set_accesses(starpu_task& task, std::span<const Access> accesses) {
    task.nbuffers = static_cast<int>(accesses.size());
    starpu_data_handle_t* handles = task.handles;
    starpu_data_access_mode* modes = task.modes;
    if (accesses.size() > STARPU_NMAXBUFS) {
        task.dyn_handles = static_cast<starpu_data_handle_t*>(std::malloc(accesses.size() * sizeof *handles));
        task.dyn_modes = static_cast<starpu_data_access_mode*>(std::malloc(accesses.size() * sizeof *modes));
        if (task.dyn_handles == nullptr || task.dyn_modes == nullptr) return false;
        handles = task.dyn_handles;
        modes = task.dyn_modes;
    }
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        handles[i] = accesses[i].handle;
        modes[i] = accesses[i].mode;
    }
    return true;
}

void discard(starpu_task* task) {
    task->destroy = 0;
    starpu_task_destroy(task);
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
    starpu_task* task = starpu_task_create();
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
    // Those that wait for the first run would come before this one.
    task->sequential_consistency = 0;
    if (!set_accesses(*task, accesses_of(first))) {
        discard(task);
        throw OutOfMemory("no memory for the data accesses of a task");
    }
    task_is_submitted(task->cl_arg);
    const int status = starpu_task_submit(task);
    if (status == 0) return;
    discard(task);
    throw RuntimeError("StarPU refused a task that it ran before, with code " + std::to_string(status));
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

void submit_raw(Job& job, starpu_codelet& codelet, void* arguments, std::size_t size, std::span<const Access> accesses,
                int priority, double flops, AfterTask after) {
    if (job.runs_at_once()) {
        const std::unique_ptr<void, void (*)(void*)> owned(arguments, std::free);
        describe_work(*static_cast<TaskArguments*>(arguments), codelet, accesses);
        return run_here(job, codelet, arguments, accesses, after);
    }
    if constexpr (is_simulation)
        if (SimulatedTasks* const rank = SimulatedTasks::of_this_actor()) {
            describe_work(*static_cast<TaskArguments*>(arguments), codelet, accesses);
            const bool takes_time = rank->submit(job, codelet, arguments, accesses, priority, after);
            return takes_time ? pass_if_simulated(job, flops) : job.add_flops(flops);
        }
    Ending* const ending = make_ending(job, codelet, static_cast<const TaskArguments*>(arguments)->label, after);
    starpu_task* task = starpu_task_create();
    if (ending == nullptr || task == nullptr) {
        std::free(arguments);
        std::free(ending);
        if (task != nullptr) discard(task);
        throw OutOfMemory("no memory for a task");
    }
    task->name = name_of(ending);
    task->cl = &codelet;
    task->cl_arg = arguments;
    task->cl_arg_size = size;
    task->cl_arg_free = 1;
    task->callback_func = end_task;
    task->callback_arg = ending;
    task->callback_arg_free = 1;
    task->priority = std::clamp(priority, starpu_sched_get_min_priority(), starpu_sched_get_max_priority());
    task->flops = flops;
    const std::uint32_t where = where_of(job, codelet, *static_cast<const TaskArguments*>(arguments));
    if (where != 0) task->where = where;
    if (const int worker = static_cast<const TaskArguments*>(arguments)->worker; worker >= 0) {
        task->execute_on_a_specific_worker = 1;
        task->workerid = static_cast<unsigned>(worker);
    }
    if (!set_accesses(*task, accesses)) {
        discard(task);
        throw OutOfMemory("no memory for the data accesses of a task");
    }
    try {
        describe_work(*static_cast<TaskArguments*>(arguments), codelet, accesses);
    } catch (...) {
        discard(task);
        throw;
    }
    note_if_simulated(*task);
    static_cast<TaskArguments*>(arguments)->order = job.submitted();
    job.task_submitted();
    task_is_submitted(arguments);
    const int status = starpu_task_submit(task);
    if (status != 0) {
        job.task_ended();
        discard(task);
        throw RuntimeError(std::string("StarPU refused a ") + codelet.name + " task with code " +
                           std::to_string(status) + (status == -ENODEV ? ": no worker can run it" : ""));
    }
    job.count_submission();
    pass_if_simulated(job, flops);
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "handles/new_task.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/codelets/starpu_start.hpp"

namespace frond::detail {
namespace {

/// Travels with a task to its end, and its name behind it, which ends with a zero.
struct Ending {
    Job* job;
    AfterTask after;
};
using NewEnding = std::unique_ptr<Ending, FreeMemory>;

/// The kind alone, or where a trace is recorded, all that is known. Null: no memory.
NewEnding make_ending(Job& job, const starpu_codelet& codelet, const TaskLabel& label, AfterTask after) {
    std::array<char, most_of_task_name> name{};
    if (StarpuStart::is_traced()) write_task_name(codelet.name, label, job.iteration(), name);
    const std::size_t length = std::strlen(name.data());
    NewEnding ending(static_cast<Ending*>(std::malloc(sizeof(Ending) + length + 1)));
    if (ending == nullptr) return nullptr;
    *ending = {&job, after};
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

}  // namespace

NewTask make_task(Job& job, starpu_codelet& codelet, std::unique_ptr<void, FreeMemory> arguments, std::size_t size,
                  AfterTask after) {
    NewEnding ending = make_ending(job, codelet, static_cast<const TaskArguments*>(arguments.get())->label, after);
    NewTask task(starpu_task_create());
    if (ending == nullptr || task == nullptr) throw OutOfMemory("no memory for a task");
    task->name = name_of(ending.get());
    task->cl = &codelet;
    task->cl_arg = arguments.release();
    task->cl_arg_size = size;
    task->cl_arg_free = 1;
    task->callback_func = end_task;
    task->callback_arg = ending.release();
    task->callback_arg_free = 1;
    return task;
}

// Above StarPU's static limit the arrays are the task's own, freed by StarPU with it.
void set_accesses(starpu_task& task, std::span<const Access> accesses) {
    task.nbuffers = static_cast<int>(accesses.size());
    starpu_data_handle_t* handles = task.handles;
    starpu_data_access_mode* modes = task.modes;
    if (accesses.size() > STARPU_NMAXBUFS) {
        task.dyn_handles = static_cast<starpu_data_handle_t*>(std::malloc(accesses.size() * sizeof *handles));
        task.dyn_modes = static_cast<starpu_data_access_mode*>(std::malloc(accesses.size() * sizeof *modes));
        if (task.dyn_handles == nullptr || task.dyn_modes == nullptr)
            throw OutOfMemory("no memory for the data accesses of a task");
        handles = task.dyn_handles;
        modes = task.dyn_modes;
    }
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        handles[i] = accesses[i].handle;
        modes[i] = accesses[i].mode;
    }
}

}  // namespace frond::detail

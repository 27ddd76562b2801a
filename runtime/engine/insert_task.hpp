// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>

#include "frond/base/error.hpp"
#include "frond/codelets/task.hpp"
#include "engine/kind_of_run.hpp"
#include "engine/task_data.hpp"

namespace frond {
namespace detail {

struct Access {
    DataRef handle;
    starpu_data_access_mode mode = STARPU_R;
};

/// What to do on the worker when the task has ended, before the job counts it.
struct AfterTask {
    void (*function)(void*) noexcept = nullptr;
    void* argument = nullptr;
};

struct FreeMemory {
    void operator()(void* memory) const { std::free(memory); }
};

}  // namespace detail

/// A task on its way to the engine that runs it.
struct TaskCall {
    Job& job;
    starpu_codelet& codelet;
    std::unique_ptr<void, detail::FreeMemory> memory;  // of its arguments
    std::size_t size;  // of these
    std::span<const detail::Access> accesses;
    int priority;
    detail::AfterTask after;

    TaskArguments& arguments() const noexcept { return *static_cast<TaskArguments*>(memory.get()); }
};

namespace detail {

/// Kinds of workers that may run the task (StarPU's `where`); 0: those of its codelet.
std::uint32_t where_of(const Job& job, const starpu_codelet& codelet, const TaskArguments& arguments) noexcept;

/// Sets what the time of the task follows, where somebody wants to know, and what it takes in a simulation.
void describe_work(TaskArguments& task, const starpu_codelet& codelet, std::span<const Access> accesses);

/// Hands the task to the engine of its job; used by insert_task only.
void submit_raw(TaskCall call);

/// Another run of a task that was deferred; it ends when this run is not.
/// @throws OutOfMemory, RuntimeError; then the task still waits
void submit_again(Deferral& deferral);

/// The only function that submits tasks.
/// @throws OutOfMemory, RuntimeError when StarPU refuses the task.
template <class Arguments>
void insert_task(Job& job, starpu_codelet& codelet, Arguments arguments, std::span<const Access> accesses, int priority,
                 AfterTask after = {}) {
    static_assert(std::is_trivially_destructible_v<Arguments>, "the copy is freed without a destructor");
    arguments.job = &job;
    std::unique_ptr<void, FreeMemory> memory(std::malloc(sizeof(Arguments)));
    if (memory == nullptr)
        throw OutOfMemory("no memory for the arguments of a task", static_cast<count_t>(sizeof(Arguments)));
    new (memory.get()) Arguments(arguments);
    submit_raw({job, codelet, std::move(memory), sizeof(Arguments), accesses, priority, after});
}

}  // namespace detail
}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <string>
#include <type_traits>

#include "frond/base/error.hpp"
#include "frond/codelets/task.hpp"

namespace frond::detail {

struct Access {
    starpu_data_handle_t handle = nullptr;
    starpu_data_access_mode mode = STARPU_R;
};

/// What to do on the worker when the task has ended, before the job counts it.
struct AfterTask {
    void (*function)(void*) noexcept = nullptr;
    void* argument = nullptr;
};

/// Kinds of workers that may run the task (StarPU's `where`); 0: those of its codelet.
std::uint32_t where_of(const Job& job, const starpu_codelet& codelet, const TaskArguments& arguments) noexcept;

/// Submits a task whose arguments were copied to malloc'ed memory; used by insert_task only.
void submit_raw(Job& job, starpu_codelet& codelet, void* arguments, std::size_t size, std::span<const Access> accesses,
                int priority, double flops, AfterTask after);

/// Another run of a task that was deferred; it ends when this run is not.
/// @throws OutOfMemory, RuntimeError; then the task still waits
void submit_again(Deferral& deferral);

/// The only function that submits tasks to StarPU.
/// @throws OutOfMemory, RuntimeError when StarPU refuses the task.
template <class Arguments>
void insert_task(Job& job, starpu_codelet& codelet, Arguments arguments, std::span<const Access> accesses, int priority,
                 AfterTask after = {}) {
    static_assert(std::is_trivially_destructible_v<Arguments>, "StarPU frees the copy without a destructor");
    arguments.job = &job;
    void* memory = std::malloc(sizeof(Arguments));
    if (memory == nullptr)
        throw OutOfMemory("no memory for the arguments of a task", static_cast<count_t>(sizeof(Arguments)));
    new (memory) Arguments(arguments);
    submit_raw(job, codelet, memory, sizeof(Arguments), accesses, priority, arguments.flops, after);
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// What differs where a machine is simulated, whose tasks have times in place of numbers: defined in real_run.cpp, and for
// simulations in simulated/simulated_run.cpp.
#pragma once

#include <starpu.h>

#include "frond/codelets/task_engine.hpp"

namespace frond {
struct TaskArguments;
}

namespace frond::detail {

/// StarPU's workers run its tasks; where ranks are simulated, the cores and cards of the rank that asks.
TaskEngine& starpu_engine() noexcept;
/// The thread that submits a task runs it.
TaskEngine& at_once_engine() noexcept;

/// Whether somebody wants to know what the times of tasks follow.
bool are_tasks_described() noexcept;
/// How long the task takes, where no body of it says so.
void set_time(TaskArguments& task, const starpu_codelet& codelet);

/// StarPU forgets the data once the tasks submitted so far have ended.
void release_when_unused(starpu_data_handle_t handle) noexcept;
/// To the memory of a card, before a task there wants the data.
void begin_to_copy(starpu_data_handle_t handle, unsigned node) noexcept;

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <cstdlib>
#include <memory>
#include <span>

#include "handles/insert_task.hpp"

namespace frond::detail {

struct FreeMemory {
    void operator()(void* memory) const { std::free(memory); }
};
struct DiscardTask {
    void operator()(starpu_task* task) const {
        task->destroy = 0;
        starpu_task_destroy(task);
    }
};
/// A task with all that is its own, until StarPU has it.
using NewTask = std::unique_ptr<starpu_task, DiscardTask>;

/// A task of the codelet with these arguments, which counts itself at its end. @throws OutOfMemory
NewTask make_task(Job& job, starpu_codelet& codelet, std::unique_ptr<void, FreeMemory> arguments, std::size_t size,
                  AfterTask after);

/// @throws OutOfMemory
void set_accesses(starpu_task& task, std::span<const Access> accesses);

}  // namespace frond::detail

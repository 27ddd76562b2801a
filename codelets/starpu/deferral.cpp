// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/deferral.hpp"

#include <utility>

#include "frond/codelets/task.hpp"

namespace frond {

void Deferral::defer(const TaskArguments& arguments) noexcept {
    if (task() != nullptr) {
        again_ = true;  // ended_again submits it: until then StarPU holds this run's data
        return;
    }
    starpu_task* const task = starpu_task_get_current();
    order_ = arguments.order;
    starpu_task_end_dep_add(task, 1);
    task_.store(task, std::memory_order_release);
    wait_for_memory();
}

void Deferral::ended_again() noexcept {
    if (std::exchange(again_, false))
        wait_for_memory();
    else
        starpu_task_end_dep_release(task_.exchange(nullptr, std::memory_order_acq_rel));
}

}  // namespace frond

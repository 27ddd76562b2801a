// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/task_kind.hpp"

#include "frond/codelets/deferral.hpp"
#include "frond/codelets/task.hpp"

#include <algorithm>
#include <utility>

namespace frond {

TaskKind::TaskKind(const char* name, unsigned color, TaskModel::Work work, double speed, Body on_core, Body on_device,
                   DeviceRun run, int on_host)
    : codelet(make_codelet(name, on_core, color)), model_(work, speed, run == DeviceRun::asynchronous) {
    codelet.model = &model_.starpu;
    if (on_device != nullptr) gpu::set_device_body(codelet, on_device, run);
    if (on_host < 0) return;
    codelet.specific_nodes = 1;
    std::fill(std::begin(codelet.nodes), std::end(codelet.nodes), STARPU_SPECIFIC_NODE_LOCAL);
    codelet.nodes[on_host] = STARPU_SPECIFIC_NODE_CPU;
}

void TaskKind::set_simulated_body(Body body) noexcept {
    if (!simulates()) return;
    codelet.cpu_funcs[0] = body;
    codelet.flags |= STARPU_CODELET_SIMGRID_EXECUTE;
}

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

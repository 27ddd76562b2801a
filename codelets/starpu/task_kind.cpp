// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/task_kind.hpp"

#include <algorithm>

#include "frond/codelets/task.hpp"

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

void TaskKind::run_in_simulation() noexcept { codelet.flags |= STARPU_CODELET_SIMGRID_EXECUTE; }

}  // namespace frond

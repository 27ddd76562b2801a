// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/task_kind.hpp"

#include <algorithm>

#include "frond/codelets/task.hpp"

namespace frond {

TaskKind::TaskKind(double speed, const Facts& facts)
    : codelet(make_codelet(facts.name, facts.on_core, facts.color)),
      model_(facts.work, speed, facts.on_device.asynchronous) {
    codelet.model = &model_.starpu;
    if (facts.on_device.function != nullptr) gpu::add_device_body(codelet, facts.on_device);
    if (facts.on_host < 0) return;
    codelet.specific_nodes = 1;
    std::fill(std::begin(codelet.nodes), std::end(codelet.nodes), STARPU_SPECIFIC_NODE_LOCAL);
    codelet.nodes[facts.on_host] = STARPU_SPECIFIC_NODE_CPU;
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#include "submit/pieces/moved_blocks.hpp"

#include "frond/codelets/simulation.hpp"
#include "handles/simulated_tasks.hpp"

namespace frond::detail {

std::vector<int> other_workers(const gpu::Device& device) {
    std::vector<int> workers;
    for (unsigned w = 0; w < starpu_worker_get_count() && device.memory_node != STARPU_MAIN_RAM; ++w)
        if (starpu_worker_get_memory_node(w) == device.memory_node && static_cast<int>(w) != device.worker)
            workers.push_back(static_cast<int>(w));
    return workers;
}

void begin_to_move(void* blocks) noexcept {
    constexpr unsigned without_waiting = 1;
    for (const MovedBlock& block : *static_cast<const std::vector<MovedBlock>*>(blocks)) {
        if constexpr (is_simulation)
            if (SimulatedTime::running() != nullptr) {
                SimulatedTasks::begin_to_copy(block.handle, block.node);
                continue;
            }
        static_cast<void>(starpu_data_prefetch_on_node(block.handle, block.node, without_waiting));
    }
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "submit/pieces/moved_blocks.hpp"

#include "engine/kind_of_run.hpp"

namespace frond::detail {

std::vector<int> other_workers(const gpu::Device& device) {
    std::vector<int> workers;
    for (unsigned w = 0; w < starpu_worker_get_count() && device.memory_node != STARPU_MAIN_RAM; ++w)
        if (starpu_worker_get_memory_node(w) == device.memory_node && static_cast<int>(w) != device.worker)
            workers.push_back(static_cast<int>(w));
    return workers;
}

void begin_to_move(void* blocks) noexcept {
    for (const MovedBlock& block : *static_cast<const std::vector<MovedBlock>*>(blocks))
        begin_to_copy(block.handle, block.node);
}

}  // namespace frond::detail

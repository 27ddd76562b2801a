// SPDX-License-Identifier: BSD-3-Clause
#include "session/moved_bytes.hpp"

#include <starpu.h>

#include "frond/gpu/copied_bytes.hpp"

namespace frond::detail {
namespace {

bool on_device(int node) {
    const starpu_node_kind kind = starpu_node_get_kind(static_cast<unsigned>(node));
    return kind == STARPU_CUDA_RAM || kind == STARPU_HIP_RAM;
}

}  // namespace

MovedBytes take_moved_bytes(const SessionState& session) {
    const gpu::CopiedBytes by_tasks = gpu::take_copied_bytes();
    MovedBytes moved{by_tasks.to_devices, by_tasks.from_devices};
    for (int bus = 0; session.owns_starpu() && bus < starpu_bus_get_count(); ++bus) {
        starpu_profiling_bus_info info{};
        if (starpu_bus_get_profiling_info(bus, &info) != 0) continue;
        const auto bytes = static_cast<count_t>(info.transferred_bytes);
        if (on_device(starpu_bus_get_dst(bus))) moved.to_devices += bytes;
        if (on_device(starpu_bus_get_src(bus))) moved.from_devices += bytes;
    }
    return moved;
}

}  // namespace frond::detail

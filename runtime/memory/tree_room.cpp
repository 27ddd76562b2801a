// SPDX-License-Identifier: BSD-3-Clause
#include "memory/tree_room.hpp"

#include <starpu.h>

#include <algorithm>

namespace frond::detail {

/// Frond reserves what a tree takes, and counts StarPU's copy of the values there. What is left is for StarPU's chunks of
/// small blocks, for the scratch memory of tasks and for BLAS. The last two are beside the limit, where there is one.
count_t room_for_tree(const gpu::Device& device) noexcept {
    constexpr count_t chunks = count_t{64} << 20;
    const count_t all = device.memory_bytes, fifth = all / 5;
    const count_t scratch = std::max<count_t>(fifth - device.beside_bytes, 0);
    return all - std::min(fifth, std::max({all / 20, chunks, scratch}));
}

namespace {

/// Small blocks come from chunks of StarPU, of 32 MiB each.
count_t bytes_of_chunks() {
    constexpr count_t two_chunks = count_t{64} << 20;
    return starpu_get_env_number_default("STARPU_SUBALLOCATOR", 1) != 0 ? two_chunks : 0;
}

}  // namespace

count_t least_room_for_tiles(const gpu::Device& device, count_t tile_bytes) {
    constexpr count_t tiles_of_task = 3;
    count_t workers = 0;
    for (unsigned w = 0; w < starpu_worker_get_count(); ++w)
        workers += starpu_worker_get_memory_node(w) == device.memory_node ? 1 : 0;
    return bytes_of_chunks() + tiles_of_task * workers * tile_bytes;
}

}  // namespace frond::detail

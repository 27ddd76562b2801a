// SPDX-License-Identifier: BSD-3-Clause
#include "submit/room_for_tiles.hpp"

#include <algorithm>
#include <string>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::detail {
namespace {

template <class T>
count_t bytes_of_largest_tile(const Mapping& mapping) {
    count_t largest = 0;
    for (const TileGrid& grid : mapping.grids)
        for (index_t t = 0; t < grid.tiles(); ++t)
            largest = std::max<count_t>(largest, grid.cut[at(t) + 1] - grid.cut[at(t)]);
    return largest * largest * static_cast<count_t>(sizeof(T));
}

/// StarPU gives small blocks from chunks of 32 MiB.
count_t bytes_of_chunks() {
    constexpr count_t two_chunks = count_t{64} << 20;
    return starpu_get_env_number_default("STARPU_SUBALLOCATOR", 1) != 0 ? two_chunks : 0;
}

count_t least_bytes(const gpu::Device& device, count_t tile_bytes) {
    constexpr count_t tiles_of_task = 3;
    count_t workers = 0;
    for (unsigned w = 0; w < starpu_worker_get_count(); ++w)
        workers += starpu_worker_get_memory_node(w) == device.memory_node ? 1 : 0;
    return bytes_of_chunks() + tiles_of_task * workers * tile_bytes;
}

}  // namespace

template <class T>
bool have_room_for_tiles(FactorsState<T>& state) {
    const count_t tile_bytes = bytes_of_largest_tile<T>(state.analysis->mapping);
    for (const gpu::Device& device : gpu::devices()) {
        const count_t least = least_bytes(device, tile_bytes);
        if (device.memory_bytes >= least) continue;
        std::string& reason = state.report.place.reason;
        reason += (reason.empty() ? "" : "; ") + std::string("tasks on tiles need ") + std::to_string(least) +
                  " bytes of a card, and there are " + std::to_string(device.memory_bytes);
        return false;
    }
    return true;
}

template <class T>
count_t bytes_for_tiles(const Analysis& analysis) {
    const count_t tile_bytes = bytes_of_largest_tile<T>(analysis.mapping);
    count_t most = 0;
    for (const gpu::Device& device : gpu::devices()) most = std::max(most, least_bytes(device, tile_bytes));
    return most;
}

#define FROND_INSTANTIATE(T)                                \
    template bool have_room_for_tiles<T>(FactorsState<T>&); \
    template count_t bytes_for_tiles<T>(const Analysis&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/branches/fronts_on_device.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/rates.hpp"
#include "engine/valid_copy.hpp"

namespace frond::detail {
namespace {

/// Own tiles of a front that are here.
struct TileBytes {
    count_t all = 0, on_device = 0, largest = 0;
};

template <class T>
TileBytes bytes_of_tiles(const TiledFront<T>& front, unsigned node) {
    TileBytes bytes;
    for (index_t j = 0; j < front.tiles(); ++j)
        for (index_t i = 0; i < front.tiles(); ++i) {
            if (!front.is_here(i, j) || !front.is_own(i, j)) continue;
            const DenseView<T> tile = front.tile(i, j);
            const count_t size = static_cast<count_t>(tile.rows) * tile.cols * static_cast<count_t>(sizeof(T));
            bytes.all += size;
            bytes.largest = std::max(bytes.largest, size);
            if (has_valid_copy(front.handle(i, j), node)) bytes.on_device += size;
        }
    return bytes;
}

/// One segment follows the other. In each step a core reads a diagonal tile, half of which is zero, and one below it; a device
/// has three tasks, which add a product, solve, and multiply.
bool are_quicker_on_device(const TileBytes& tiles) {
    constexpr double tiles_of_step = 1.5, tasks_of_step = 3;
    return tiles_of_step * static_cast<double>(tiles.largest) / rates().core_read_bytes >
           tasks_of_step * rates().device_task_seconds;
}

/// Units of a group are on cores. A front with more scalars than a group may have is in none.
template <class T>
bool is_in_group(const TreeFactors<T>& factors, const SharedSolve& solve, index_t front) {
    return !factors.ownership.share->has_shared_tiles(front) &&
           front_panels(factors.analysis->tree.fronts[at(front)], factors.kind()).size <= solve.group_scalars;
}

}  // namespace

template <class T>
std::vector<std::uint8_t> fronts_on_device(const TreeFactors<T>& factors, const SharedSolve& solve,
                                           BranchPlace branches) {
    const bool is_possible =
        branches == BranchPlace::device || branches == BranchPlace::made_by_tasks || branches == BranchPlace::none;
    if (!is_possible || solve.place == SolvePlace::host || solve.part != SolvePart::all) return {};
    const std::vector<gpu::Device> devices = gpu::devices();
    if (devices.size() != 1) return {};
    std::vector<std::uint8_t> fronts(factors.tiled().size(), 0);
    const std::vector<index_t>& grid_of_front = factors.analysis->mapping.grid_of_front;
    for (index_t f = 0; f < factors.analysis->tree.front_count(); ++f) {
        const index_t grid = grid_of_front[at(f)];
        if (grid < 0 || factors.tiled()[at(grid)] == nullptr || is_in_group(factors, solve, f)) continue;
        const TileBytes tiles = bytes_of_tiles(*factors.tiled()[at(grid)], devices.front().memory_node);
        const bool is_there = tiles.on_device > tiles.all / 2;
        const bool pays = factors.analysis->options.deterministic || are_quicker_on_device(tiles);
        fronts[at(grid)] = is_there && pays ? 1 : 0;
    }
    const bool none = std::find(fronts.begin(), fronts.end(), 1) == fronts.end();
    return none ? std::vector<std::uint8_t>() : fronts;
}

#define FROND_INSTANTIATE(T) \
    template std::vector<std::uint8_t> fronts_on_device<T>(const TreeFactors<T>&, const SharedSolve&, BranchPlace);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

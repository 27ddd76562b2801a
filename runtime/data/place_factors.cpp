// SPDX-License-Identifier: BSD-3-Clause
#include "data/place_factors.hpp"

#include "data/factors_state.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "memory/predict_peak.hpp"

namespace frond::detail {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

/// room: null on the host.
template <class T>
void place(FactorsState<T>& state, TileHomes homes, HostHeap& heap, DeviceBlock* room) {
    const Analysis& analysis = *state.analysis;
    for (std::size_t s = 0; s < analysis.mapping.subtrees.size(); ++s)
        state.subtrees.push_back(SubtreeFactors<T>::make(analysis, s, heap, room));
    state.tiled.resize(analysis.mapping.grids.size());
    for (std::size_t f = 0; f < analysis.tree.fronts.size(); ++f) {
        const index_t grid = analysis.mapping.grid_of_front[f];
        if (grid < 0) continue;
        state.tiled[at(grid)] =
            std::make_unique<TiledFront<T>>(analysis.tree.fronts[f], analysis.mapping.grids[at(grid)], state.kind(),
                                            state.report.pivoting == Pivoting::threshold, homes, heap, room);
    }
}

template <class T>
gpu::PlacedFront<T> tiles_of(const TiledFront<T>& tiled) {
    gpu::PlacedFront<T> placed;
    placed.grid = &tiled.grid();
    const index_t tiles = tiled.tiles();
    placed.tiles.resize(at(tiles) * at(tiles));
    for (index_t j = 0; j < tiles; ++j)
        for (index_t i = 0; i < tiles; ++i)
            if (tiled.stored(i, j) && tiled.is_own(i, j)) {
                const DenseView<T> tile = tiled.tile(i, j);
                placed.tiles[at(i) + at(j) * at(tiles)] = {tile.data, tile.ld};
            }
    for (index_t k = 0; k < tiled.own_tiles(); ++k) placed.records.push_back(tiled.record_memory(k));
    return placed;
}

}  // namespace

template <class T>
count_t factor_bytes_on_device(const Analysis& analysis) {
    count_t bytes = 0;
    for (const Subtree& s : analysis.mapping.subtrees) bytes += DeviceBlock::aligned(subtree_bytes<T>(analysis, s).factors);
    for (const TileGrid& grid : analysis.mapping.grids)
        bytes += TiledFront<T>::bytes_on_device(grid, analysis.factorization);
    return bytes;
}

template <class T>
void place_factors_on_device(FactorsState<T>& state, unsigned node) {
    state.device_memory = state.session->take_block(node, factor_bytes_on_device<T>(*state.analysis));
    place(state, TileHomes::only_factors_on_device, host_heap(), &state.device_memory);
}

template <class T>
void place_factors_on_host(FactorsState<T>& state) {
    place(state, TileHomes::only_factors_on_host, state.session->pinned_heap(), nullptr);
}

template <class T>
std::vector<gpu::PlacedFront<T>> factors_on_host(const FactorsState<T>& state) {
    const Analysis& analysis = *state.analysis;
    std::vector<gpu::PlacedFront<T>> places(analysis.tree.fronts.size());
    for (std::size_t s = 0; s < state.subtrees.size(); ++s) {
        const Subtree& subtree = analysis.mapping.subtrees[s];
        T* part = static_cast<T*>(state.subtrees[s].chunk.data());
        for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
            places[at(f)].part = part;
            part += front_panels(analysis.tree.fronts[at(f)], state.kind()).size;
        }
    }
    for (std::size_t f = 0; f < places.size(); ++f) {
        const index_t grid = analysis.mapping.grid_of_front[f];
        if (grid >= 0) places[f] = tiles_of(*state.tiled[at(grid)]);
    }
    return places;
}

#define FROND_INSTANTIATE(T)                                                          \
    template count_t factor_bytes_on_device<T>(const Analysis&);                      \
    template void place_factors_on_device<T>(FactorsState<T>&, unsigned);             \
    template void place_factors_on_host<T>(FactorsState<T>&);                         \
    template std::vector<gpu::PlacedFront<T>> factors_on_host<T>(const FactorsState<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

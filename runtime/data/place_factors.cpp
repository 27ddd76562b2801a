// SPDX-License-Identifier: BSD-3-Clause
#include "data/place_factors.hpp"

#include "data/factors_state.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "memory/predict_peak.hpp"

namespace frond::detail {
namespace {

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

}  // namespace

template <class T>
count_t factor_bytes_on_device(const Analysis& analysis) {
    count_t bytes = 0;
    for (const Subtree& s : analysis.mapping.subtrees)
        bytes += DeviceBlock::aligned(subtree_bytes<T>(analysis, s).factors);
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

#define FROND_INSTANTIATE(T)                                              \
    template count_t factor_bytes_on_device<T>(const Analysis&);          \
    template void place_factors_on_device<T>(FactorsState<T>&, unsigned); \
    template void place_factors_on_host<T>(FactorsState<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

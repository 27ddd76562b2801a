// SPDX-License-Identifier: BSD-3-Clause
#include "factors/place_factors.hpp"

#include "factors/factors_state.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "memory/predict_peak.hpp"

namespace frond::detail {
namespace {

/// room: null on the host.
template <class T>
void place(FactorsState<T>& state, TileHomes homes, HostHeap& heap, FactorRoom* room) {
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
        bytes += FactorRoom::aligned(subtree_bytes<T>(analysis, s).factors);
    for (const TileGrid& grid : analysis.mapping.grids)
        bytes += TiledFront<T>::bytes_on_device(grid, analysis.factorization);
    return bytes;
}

/// In the order of place().
template <class T>
std::shared_ptr<const FactorLayout<T>> factor_layout(const Analysis& analysis) {
    const auto layout = std::make_shared<FactorLayout<T>>();
    const AssemblyTree& tree = analysis.tree;
    FactorRoom room;
    layout->fronts.resize(tree.fronts.size());
    for (const Subtree& s : analysis.mapping.subtrees) {
        T* part = static_cast<T*>(room.take(subtree_bytes<T>(analysis, s).factors));
        for (index_t f = s.first_front; f <= s.root_front; ++f) {
            layout->fronts[at(f)].part = part;
            part += front_panels(tree.fronts[at(f)], analysis.factorization).size;
        }
    }
    for (std::size_t f = 0; f < tree.fronts.size(); ++f)
        if (const index_t grid = analysis.mapping.grid_of_front[f]; grid >= 0)
            TiledFront<T>::place(analysis.mapping.grids[at(grid)], analysis.factorization, room, layout->fronts[f]);
    layout->part_bytes = room.part_bytes();
    return layout;
}

template <class T>
void place_factors_in_parts(FactorsState<T>& state) {
    FactorRoom room(state.parts.node(), state.parts.begin(), state.parts.part_bytes());
    place(state, TileHomes::only_factors_on_device, host_heap(), &room);
}

template <class T>
void place_factors_on_host(FactorsState<T>& state) {
    place(state, TileHomes::only_factors_on_host, state.session->pinned_heap(), nullptr);
}

#define FROND_INSTANTIATE(T)                                                           \
    template count_t factor_bytes_on_device<T>(const Analysis&);                       \
    template std::shared_ptr<const FactorLayout<T>> factor_layout<T>(const Analysis&); \
    template void place_factors_in_parts<T>(FactorsState<T>&);                         \
    template void place_factors_on_host<T>(FactorsState<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

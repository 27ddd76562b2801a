// SPDX-License-Identifier: BSD-3-Clause
#include "factors/held_factors.hpp"

#include "factors/tree_factors.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {

template <class T>
HeldFactors<T>::HeldFactors(const TreeFactors<T>& factors, const gpu::Device& device)
    : node_(device.memory_node), fronts_(factors.analysis->tree.fronts.size()) {
    try {
        factors.parts.is_empty() ? hold_handles(factors) : hold_parts(factors);
    } catch (...) {
        let_go();
        throw;
    }
}

/// A few large handles; those of subtrees and tiles lie inside them, wherever these were written.
template <class T>
void HeldFactors<T>::hold_parts(const TreeFactors<T>& factors) {
    std::vector<unsigned char*> begin;
    for (std::size_t p = 0; p < factors.parts.handles().size(); ++p) {
        const starpu_data_handle_t part = factors.parts.handles()[p].get();
        static_cast<void>(hold(part));
        begin.push_back(FactorParts::address(part, node_));
        if (factors.parts.places()[p].node != node_) copied_.push_back(part);
    }
    const FactorLayout<T>& layout = *factors.layout;
    const auto move = [&](auto*& place) {
        if (place != nullptr) place = gpu::in_part(place, begin[layout.index_of(place)]);
    };
    fronts_ = layout.fronts;
    for (gpu::FrontFactorViews<T>& front : fronts_) {
        move(front.part);
        for (auto& tile : front.tiles) move(tile.data);
        for (unsigned char*& record : front.records) move(record);
    }
}

template <class T>
void HeldFactors<T>::hold_handles(const TreeFactors<T>& factors) {
    for (std::size_t s = 0; s < factors.subtrees().size(); ++s) hold_subtree(factors, s);
    for (std::size_t f = 0; f < fronts_.size(); ++f)
        if (factors.analysis->mapping.grid_of_front[f] >= 0)
            hold_tiles(factors, f, factors.analysis->mapping.grid_of_front[f]);
}

/// Nobody sees how much memory copies of parts take, which StarPU would keep as long as it has room for them.
template <class T>
void HeldFactors<T>::let_go() noexcept {
    const gpu::KeptDevice kept(!copied_.empty());
    if (start_.is_running() && !gpu::has_lost_device()) {
        for (const starpu_data_handle_t handle : held_) starpu_data_release_on_node(handle, node());
        for (const starpu_data_handle_t handle : copied_) static_cast<void>(starpu_data_evict_from_node(handle, node_));
    }
    held_.clear();
    copied_.clear();
}

/// Its interface on the device, where it stays until let_go().
template <class T>
void* HeldFactors<T>::hold(starpu_data_handle_t handle) {
    if (starpu_data_acquire_on_node(handle, node(), STARPU_R) != 0)
        throw DeviceError("StarPU cannot bring factors to the device");
    held_.push_back(handle);
    return starpu_data_get_interface_on_node(handle, node_);
}

template <class T>
void HeldFactors<T>::hold_subtree(const TreeFactors<T>& factors, std::size_t number) {
    const AssemblyTree& tree = factors.analysis->tree;
    const Subtree& subtree = factors.analysis->mapping.subtrees[number];
    T* part = reinterpret_cast<T*>(STARPU_VECTOR_GET_PTR(hold(factors.subtrees()[number].handle.get())));
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
        fronts_[at(f)].part = part;
        part += front_panels(tree.fronts[at(f)], factors.kind()).size;
    }
}

template <class T>
void HeldFactors<T>::hold_tiles(const TreeFactors<T>& factors, std::size_t front, index_t grid) {
    const TiledFront<T>& tiled = *factors.tiled()[at(grid)];
    gpu::FrontFactorViews<T>& placed = fronts_[front];
    placed.grid = &tiled.grid();
    const index_t tiles = tiled.tiles();
    placed.tiles.resize(at(tiles) * at(tiles));
    for (index_t j = 0; j < tiles; ++j)
        for (index_t i = 0; i < tiles; ++i) {
            if (!tiled.stored(i, j) || !tiled.is_own(i, j)) continue;
            void* const tile = hold(tiled.handle(i, j));
            placed.tiles[at(i) + at(j) * at(tiles)] = {reinterpret_cast<T*>(STARPU_MATRIX_GET_PTR(tile)),
                                                       static_cast<count_t>(STARPU_MATRIX_GET_LD(tile))};
        }
    placed.records.assign(at(tiled.own_tiles()), nullptr);
    for (index_t k = 0; k < tiled.own_tiles() && has_pivot_records(tiled.kind()); ++k)
        placed.records[at(k)] = reinterpret_cast<unsigned char*>(STARPU_VECTOR_GET_PTR(hold(tiled.record_handle(k))));
}

#define FROND_INSTANTIATE(T) template class HeldFactors<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

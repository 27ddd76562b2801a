// SPDX-License-Identifier: BSD-3-Clause
#include "factors/pivots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <shared_mutex>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

template <class T>
void visit_subtree(const FactorsState<T>& state, std::size_t s,
                   const std::function<void(const PivotBlock<T>&)>& visit) {
    const bool with_devices = state.session->has_devices();
    const HostAccess access(with_devices ? state.subtrees()[s].handle.get() : nullptr);
    const Subtree& subtree = state.analysis->mapping.subtrees[s];
    const AssemblyTree& tree = state.analysis->tree;
    const T* part = with_devices ? static_cast<const T*>(access.data()) : state.subtrees()[s].chunk;
    const index_t first = tree.fronts[at(subtree.first_front)].first_column;
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
        const Front& front = tree.fronts[at(f)];
        const FrontPanels p = front_panels(front, state.kind());
        visit({front.first_column, DenseView<const T>{part + p.panel, front.npiv, front.npiv, front.nfront},
               has_pivot_records(state.kind()) ? state.subtrees()[s].pivots->perm.data() + (front.first_column - first)
                                               : nullptr,
               has_block_diagonal(state.kind()) ? part + p.pivots : nullptr});
        part += p.size;
    }
}

/// others: visits those of the diagonal tiles that other ranks have, by their first column.
template <class T>
void visit_tiled(const TiledFront<T>& tiled, const SessionState& session,
                 const std::function<void(const PivotBlock<T>&)>& visit, const std::function<void(index_t)>& others) {
    for (index_t k = 0; k < tiled.own_tiles(); ++k) {
        if (!tiled.is_here(k, k)) {
            others(tiled.front().first_column + tiled.grid().cut[at(k)]);
            continue;
        }
        const bool has_record = tiled.kind() != Factorization::llt;
        const HostAccess tile_access(session.has_devices() ? tiled.handle(k, k) : nullptr);
        const HostAccess record_access(session.has_devices() && has_record ? tiled.record_handle(k) : nullptr);
        DenseView<T> tile = tiled.tile(k, k);
        PivotRecord<T> record = tiled.record(k);
        if (session.has_devices()) {
            tile.data = static_cast<T*>(tile_access.data());
            if (has_record) record = PivotRecord<T>::at(static_cast<unsigned char*>(record_access.data()), tile.cols);
        }
        visit({tiled.front().first_column + tiled.grid().cut[at(k)],
               DenseView<const T>{tile.data, tile.rows, tile.cols, tile.ld}, record.perm, record.pivots});
    }
}

/// Of a unit, or diagonal tiles of it, of another rank or of devices: the diagonals alone, as blocks whose columns lie one on
/// the other. Those that begin with this column; less than 0: all.
template <class T>
void visit_kept(const typename RemotePivots<T>::Unit& unit, index_t first_column,
                const std::function<void(const PivotBlock<T>&)>& visit) {
    for (const auto& block : unit.blocks) {
        if (first_column >= 0 && block.first_column != first_column) continue;
        const auto n = static_cast<index_t>(block.diagonal.size());
        visit({block.first_column, DenseView<const T>{block.diagonal.data(), n, n, 0},
               block.perm.empty() ? nullptr : block.perm.data(), block.pivots.empty() ? nullptr : block.pivots.data()});
    }
}

template <class T>
void visit_remote(const FactorsState<T>& state, index_t front, index_t first_column,
                  const std::function<void(const PivotBlock<T>&)>& visit) {
    if (state.remote_pivots == nullptr) return;
    const auto unit = state.remote_pivots->units.find(front);
    if (unit != state.remote_pivots->units.end()) visit_kept<T>(unit->second, first_column, visit);
}

/// Whether a unit's factors, or a part of them, are here; else rank 0 knows its pivots, and other ranks know nothing of it.
template <class T>
bool is_here(const FactorsState<T>& state, index_t front) {
    return state.share == nullptr || state.share->has_part(front);
}

bool is_unit(const Mapping& mapping, index_t front) {
    const index_t s = mapping.subtree_of_front[at(front)];
    return s < 0 || mapping.subtrees[at(s)].root_front == front;
}

}  // namespace

template <class T>
void for_each_pivot_block(const FactorsState<T>& state, const std::function<void(const PivotBlock<T>&)>& visit) {
    const std::shared_lock lock(state.place_mutex);
    const Mapping& mapping = state.analysis->mapping;
    for (index_t f = 0; f < state.analysis->tree.front_count(); ++f) {
        if (!is_unit(mapping, f)) continue;
        const index_t s = mapping.subtree_of_front[at(f)];
        if (const auto made = state.pivots_of_devices.find(f); made != state.pivots_of_devices.end()) {
            visit_kept<T>(made->second, -1, visit);
        } else if (!is_here(state, f)) {
            visit_remote<T>(state, f, -1, visit);
        } else if (s < 0) {
            visit_tiled<T>(*state.tiled()[at(mapping.grid_of_front[at(f)])], *state.session, visit,
                           [&](index_t first_column) { visit_remote<T>(state, f, first_column, visit); });
        } else {
            visit_subtree<T>(state, at(s), visit);
        }
    }
}

template <class T>
void for_each_second_pass_of_unit(const FactorsState<T>& state, index_t front,
                                  const std::function<void(const cpu::SecondPass<T>&)>& visit) {
    if (state.layout != nullptr || state.is_made_by_devices(front)) return;  // of devices: there are none
    const Mapping& mapping = state.analysis->mapping;
    const index_t s = mapping.subtree_of_front[at(front)];
    if (state.share != nullptr && !state.share->owns(front)) {  // of a shared front the rank that leads has it
        if (state.remote_pivots == nullptr) return;
        const auto unit = state.remote_pivots->units.find(front);
        if (unit == state.remote_pivots->units.end()) return;
        for (const auto& second_pass : unit->second.second_passes) visit(second_pass);
    } else if (s < 0) {
        const TiledFront<T>& tiled = *state.tiled()[at(mapping.grid_of_front[at(front)])];
        if (tiled.has_second_pass()) visit(tiled.second_pass());
    } else {
        for (const auto& failed : state.subtrees()[at(s)].pivots->second_passes.fronts) visit(failed.second_pass);
    }
}

template <class T>
void for_each_second_pass(const FactorsState<T>& state, const std::function<void(const cpu::SecondPass<T>&)>& visit) {
    if (state.layout != nullptr) return;  // of devices: there are none
    for (index_t f = 0; f < state.analysis->tree.front_count(); ++f)
        if (is_unit(state.analysis->mapping, f)) for_each_second_pass_of_unit<T>(state, f, visit);
}

template <class T>
std::vector<index_t> small_pivot_columns(const FactorsState<T>& state, const PivotRule& rule) {
    std::vector<index_t> columns;
    // A raised pivot has exactly this size but for rounding of its phase.
    const double bound =
        std::max(rule.smallest_pivot, rule.zero_pivot) * (1 + 8 * std::numeric_limits<real_t<T>>::epsilon());
    for_each_pivot_block<T>(state, [&](const PivotBlock<T>& b) {
        for (index_t k = 0; k < b.block.cols; ++k) {
            if (is_pair(b, k, state.kind())) {
                ++k;
                continue;
            }
            if (!(std::abs(pivot_value(b, k, state.kind())) <= bound)) continue;
            const bool symmetric = is_symmetric(state.kind());
            const index_t local = symmetric && b.perm != nullptr ? b.perm[k] : k;
            columns.push_back(state.analysis->column_order[at(b.first_column + local)]);
        }
    });
    std::sort(columns.begin(), columns.end());
    return columns;
}

#define FROND_INSTANTIATE(T)                                                                                         \
    template void for_each_second_pass_of_unit<T>(const FactorsState<T>&, index_t,                                   \
                                                  const std::function<void(const cpu::SecondPass<T>&)>&);            \
    template void for_each_second_pass<T>(const FactorsState<T>&,                                                    \
                                          const std::function<void(const cpu::SecondPass<T>&)>&);                    \
    template void for_each_pivot_block<T>(const FactorsState<T>&, const std::function<void(const PivotBlock<T>&)>&); \
    template std::vector<index_t> small_pivot_columns<T>(const FactorsState<T>&, const PivotRule&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

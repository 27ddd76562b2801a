// SPDX-License-Identifier: BSD-3-Clause
#include "factors/pivots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <shared_mutex>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "engine/tile_diagonal.hpp"

namespace frond::detail {
namespace {

template <class T>
void visit_subtree(const TreeFactors<T>& factors, std::size_t s,
                   const std::function<void(const PivotBlock<T>&)>& visit) {
    const bool with_devices = factors.session->has_devices();
    const HostAccess access(with_devices ? factors.subtrees()[s].handle.get() : nullptr);
    const Subtree& subtree = factors.analysis->mapping.subtrees[s];
    const AssemblyTree& tree = factors.analysis->tree;
    const T* part = with_devices ? static_cast<const T*>(access.data()) : factors.subtrees()[s].chunk;
    const index_t first = tree.fronts[at(subtree.first_front)].first_column;
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
        const Front& front = tree.fronts[at(f)];
        const FrontPanels p = front_panels(front, factors.kind());
        visit({front.first_column, DenseView<const T>{part + p.panel, front.npiv, front.npiv, front.nfront},
               has_pivot_records(factors.kind())
                   ? factors.subtrees()[s].pivots->perm.data() + (front.first_column - first)
                   : nullptr,
               has_block_diagonal(factors.kind()) ? part + p.pivots : nullptr});
        part += p.size;
    }
}

/// All of the diagonal is 1.
template <class T>
DenseView<const T> unit_diagonal(index_t n) {
    static const T one(1);
    return {&one, n, n, -1};
}

/// Diagonal tile k, which may be on a device.
template <class T>
void visit_handles(const TiledFront<T>& tiled, index_t k, index_t n, index_t first_column,
                   const std::function<void(const PivotBlock<T>&)>& visit) {
    PivotBlock<T> block{first_column, unit_diagonal<T>(n)};
    std::optional<TileDiagonal<T>> diagonal;
    if (!has_block_diagonal(tiled.kind())) block.block = diagonal.emplace(tiled.handle(k, k), n).view();
    if (!has_pivot_records(tiled.kind())) return visit(block);
    const HostAccess access(tiled.record_handle(k));
    const auto record = PivotRecord<T>::at(static_cast<unsigned char*>(access.data()), n);
    block.perm = record.perm;
    block.pivots = record.pivots;
    visit(block);
}

/// others(first column, end) for the diagonal tiles that other ranks have.
template <class T>
void visit_tiled(const TiledFront<T>& tiled, const SessionState& session,
                 const std::function<void(const PivotBlock<T>&)>& visit,
                 const std::function<void(index_t, index_t)>& others) {
    for (index_t k = 0; k < tiled.own_tiles(); ++k) {
        if (!tiled.is_here(k, k)) {
            const index_t first = tiled.front().first_column;
            others(first + tiled.grid().cut[at(k)], first + tiled.grid().cut[at(k) + 1]);
            continue;
        }
        const index_t first_column = tiled.front().first_column + tiled.grid().cut[at(k)];
        const DenseView<T> tile = tiled.tile(k, k);
        if (session.has_devices()) {
            visit_handles(tiled, k, tile.cols, first_column, visit);
        } else {
            const PivotRecord<T> record = tiled.record(k);
            visit({first_column, DenseView<const T>{tile.data, tile.rows, tile.cols, tile.ld}, record.perm,
                   record.pivots});
        }
    }
}

/// Visits pivots of another rank or of devices: the diagonal alone, as a block whose columns lie one on the other.
template <class T>
void visit_listed(const ListedPivots<T>& listed, Factorization kind, index_t first, index_t end,
                  const std::function<void(const PivotBlock<T>&)>& visit) {
    const count_t place = listed.places.place(first);
    if (place < 0) return;
    const T* const value = listed.value.data() + place * ListedPivots<T>::width(kind);
    const index_t* const perm = listed.perm.empty() ? nullptr : listed.perm.data() + place;
    const index_t n = end - first;
    if (has_block_diagonal(kind))
        visit({first, unit_diagonal<T>(n), perm, value});
    else
        visit({first, DenseView<const T>{value, n, n, 0}, perm, nullptr});
}

template <class T>
void visit_remote(const TreeFactors<T>& factors, index_t first, index_t end,
                  const std::function<void(const PivotBlock<T>&)>& visit) {
    visit_listed<T>(factors.ownership.remote_pivots.listed, factors.kind(), first, end, visit);
}

/// Whether a unit's factors, or a part of them, are here; else rank 0 knows its pivots, and other ranks know nothing of it.
template <class T>
bool is_here(const TreeFactors<T>& factors, index_t front) {
    return factors.ownership.has_part(front);
}

}  // namespace

template <class T>
void for_each_pivot_block_of_unit(const TreeFactors<T>& factors, index_t unit,
                                  const std::function<void(const PivotBlock<T>&)>& visit) {
    const Mapping& mapping = factors.analysis->mapping;
    const index_t s = mapping.subtree_of_front[at(unit)];
    const auto remote = [&](index_t first, index_t end) { visit_remote<T>(factors, first, end, visit); };
    if (factors.ownership.is_made_by_devices(unit))
        for_each_block_of_unit(*factors.analysis, unit, [&](index_t first, index_t end) {
            visit_listed<T>(factors.ownership.own_pivots, factors.kind(), first, end, visit);
        });
    else if (!is_here(factors, unit))
        for_each_block_of_unit(*factors.analysis, unit, remote);
    else if (s < 0)
        visit_tiled<T>(*factors.tiled()[at(mapping.grid_of_front[at(unit)])], *factors.session, visit, remote);
    else
        visit_subtree<T>(factors, at(s), visit);
}

template <class T>
void for_each_pivot_block(const TreeFactors<T>& factors, const std::function<void(const PivotBlock<T>&)>& visit) {
    const std::shared_lock lock(factors.place_mutex);
    for_each_unit(*factors.analysis, [&](index_t unit) { for_each_pivot_block_of_unit<T>(factors, unit, visit); });
}

template <class T>
void for_each_second_pass_of_unit(const TreeFactors<T>& factors, index_t front,
                                  const std::function<void(const cpu::SecondPass<T>&)>& visit) {
    if (factors.layout != nullptr || factors.ownership.is_made_by_devices(front)) return;  // of devices: there are none
    const Mapping& mapping = factors.analysis->mapping;
    const index_t s = mapping.subtree_of_front[at(front)];
    if (!factors.ownership.owns(front)) {  // of a shared front the rank that leads has it
        const auto unit = factors.ownership.remote_pivots.second_passes.find(front);
        if (unit == factors.ownership.remote_pivots.second_passes.end()) return;
        for (const auto& second_pass : unit->second) visit(second_pass);
    } else if (s < 0) {
        const TiledFront<T>& tiled = *factors.tiled()[at(mapping.grid_of_front[at(front)])];
        if (tiled.has_second_pass()) visit(tiled.second_pass());
    } else {
        for (const auto& failed : factors.subtrees()[at(s)].pivots->second_passes.fronts) visit(failed.second_pass);
    }
}

template <class T>
void for_each_second_pass(const TreeFactors<T>& factors, const std::function<void(const cpu::SecondPass<T>&)>& visit) {
    if (factors.layout != nullptr) return;  // of devices: there are none
    for_each_unit(*factors.analysis, [&](index_t unit) { for_each_second_pass_of_unit<T>(factors, unit, visit); });
}

template <class T>
std::vector<index_t> small_pivot_columns(const TreeFactors<T>& factors, const PivotRule& rule) {
    std::vector<index_t> columns;
    // A raised pivot has exactly this size but for rounding of its phase.
    const double bound =
        std::max(rule.smallest_pivot, rule.zero_pivot) * (1 + 8 * std::numeric_limits<real_t<T>>::epsilon());
    for_each_pivot_block<T>(factors, [&](const PivotBlock<T>& b) {
        for (index_t k = 0; k < b.block.cols; ++k) {
            if (is_pair(b, k, factors.kind())) {
                ++k;
                continue;
            }
            if (!(std::abs(pivot_value(b, k, factors.kind())) <= bound)) continue;
            const bool symmetric = is_symmetric(factors.kind());
            const index_t local = symmetric && b.perm != nullptr ? b.perm[k] : k;
            columns.push_back(factors.analysis->column_order[at(b.first_column + local)]);
        }
    });
    std::sort(columns.begin(), columns.end());
    return columns;
}

#define FROND_INSTANTIATE(T)                                                                                        \
    template void for_each_second_pass_of_unit<T>(const TreeFactors<T>&, index_t,                                   \
                                                  const std::function<void(const cpu::SecondPass<T>&)>&);           \
    template void for_each_second_pass<T>(const TreeFactors<T>&,                                                    \
                                          const std::function<void(const cpu::SecondPass<T>&)>&);                   \
    template void for_each_pivot_block_of_unit<T>(const TreeFactors<T>&, index_t,                                   \
                                                  const std::function<void(const PivotBlock<T>&)>&);                \
    template void for_each_pivot_block<T>(const TreeFactors<T>&, const std::function<void(const PivotBlock<T>&)>&); \
    template std::vector<index_t> small_pivot_columns<T>(const TreeFactors<T>&, const PivotRule&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "factor/store_plan.hpp"

#include <algorithm>
#include <utility>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/pivot_record.hpp"

namespace frond::gpu {
namespace {

template <class T>
count_t scalars_of(const StoreBlock<T>& block) {
    return static_cast<count_t>(block.rows) * block.cols;
}

}  // namespace

template <class T>
StorePlan<T>::StorePlan(const TreeTables<T>& tables, const std::vector<FrontFactorViews<T>>& places,
                        const TypedVector<PartNumber, char>& is_on_host)
    : kind_(tables.plan().analysis.factorization),
      symmetric_(kind_ != Factorization::lu),
      indefinite_(has_block_diagonal(kind_)),
      is_on_host_(is_on_host) {
    const SubtreePlan& tree = tables.plan().tree;
    blocks.reserve(places.size() * (symmetric_ ? 1 : 2));
    levels.resize(tree.levels().size());
    pivots_begin.push_back(0);
    strips.resize(tree.strips().size());
    for (const SubtreePlan::Range& range : tree.ranges()) {
        if (tables.is_own(range))
            for (index_t l = range.first_level; l < range.last_level; ++l) add_level(tables, places, l);
        pivots_begin.push_back(static_cast<index_t>(pivots.size()));
    }
}

template <class T>
void StorePlan<T>::begin(Level& level) const {
    level.first = static_cast<index_t>(blocks.size());
}

template <class T>
void StorePlan<T>::end(Level& level) {
    level.first_to_host = static_cast<index_t>(blocks.size());
    add_early(level);
    level.first_late = static_cast<index_t>(blocks.size());
    for (const ToHost& h : to_host_)
        if (h.early.end == 0) {
            blocks.push_back(h.block);
            level.late_scalars += scalars_of(h.block);
        }
    level.last = static_cast<index_t>(blocks.size());
    has_blocks_to_host = has_blocks_to_host || !to_host_.empty();
    to_host_.clear();
}

template <class T>
void StorePlan<T>::add_early(Level& level) {
    const auto order = [](const ToHost& h) { return std::pair{h.early.front, h.early.end}; };
    std::stable_sort(to_host_.begin(), to_host_.end(),
                     [&](const ToHost& a, const ToHost& b) { return order(a) < order(b); });
    for (const ToHost& h : to_host_) {
        if (h.early.end == 0) continue;
        const auto next = static_cast<index_t>(blocks.size());
        if (level.early.empty() || level.early.back().front != h.early.front || level.early.back().end != h.early.end)
            level.early.push_back({h.early.front, h.early.end, next, next});
        blocks.push_back(h.block);
        ++level.early.back().last;
        level.early.back().scalars += scalars_of(h.block);
    }
}

template <class T>
void StorePlan<T>::add_level(const TreeTables<T>& tables, const std::vector<FrontFactorViews<T>>& places,
                             index_t number) {
    const SubtreePlan& tree = tables.plan().tree;
    const SubtreePlan::Level& of_tree = tree.levels()[at(number)];
    Level& level = levels[at(number)];
    begin(level);
    for (index_t k = of_tree.first; k < of_tree.last; ++k) {
        const index_t f = tree.fronts()[at(k)];
        early_.front = k;
        add_columns(tables, places[at(f)], f, tables.squares()[at(k)], level);
        add_pivots(tables.plan().analysis.tree.fronts[at(f)], places[at(f)], tables.squares()[at(k)]);
    }
    end(level);
    for (index_t s = of_tree.first_strip; s < of_tree.last_strip; ++s) {
        const index_t f = tree.fronts()[at(tree.strips()[at(s)].front)];
        begin(strips[at(s)]);
        add_columns(tables, places[at(f)], f, tables.strips()[at(s)], strips[at(s)]);
        end(strips[at(s)]);
    }
}

/// Adds the columns of front f that are on the device.
template <class T>
void StorePlan<T>::add_columns(const TreeTables<T>& tables, const FrontFactorViews<T>& place, index_t f,
                               const DenseFront<T>& there, Level& level) {
    if (place.part != nullptr)
        add_chunk_part(tables.plan().analysis.tree.fronts[at(f)], there, place.part, level);
    else
        add_tiles(there, place, level);
    if (T* const to = tables.saved_block(f); to != nullptr) add_contribution(there, to, level);
}

template <class T>
void StorePlan<T>::add(const StoreBlock<T>& block, Level& level) {
    if (block.rows <= 0 || block.cols <= 0) return;
    if (is_on_host_[part_number(block.to)] != 0) return to_host_.push_back({block, early_});
    blocks.push_back(block);
    level.most_columns = std::max(level.most_columns, block.cols);
}

template <class T>
void StorePlan<T>::add_chunk_part(const Front& front, const DenseFront<T>& there, T* part, Level& level) {
    const FrontPanels panels = front_panels(front, kind_);
    if (there.first == 0)
        add({there.data, part + panels.panel, there.ld, front.nfront, front.nfront, front.npiv, symmetric_}, level);
    const index_t first = std::max(there.first, front.npiv);
    if (!symmetric_)
        add({there.data + first * there.ld, part + panels.upper + static_cast<count_t>(first - front.npiv) * front.npiv,
             there.ld, front.npiv, front.npiv, there.columns() - first, false},
            level);
}

template <class T>
void StorePlan<T>::add_contribution(const DenseFront<T>& there, T* to, Level& level) {
    const index_t ncb = there.order - there.npiv, first = std::max(there.first, there.npiv);
    const index_t row = symmetric_ ? first : there.npiv;
    StoreBlock<T> block{there.data + row + first * there.ld,
                        to + row - there.npiv + static_cast<count_t>(first - there.npiv) * ncb,
                        there.ld,
                        ncb,
                        there.order - row,
                        there.columns() - first};
    block.leave_upper = symmetric_;
    add(block, level);
}

template <class T>
void StorePlan<T>::add_tiles(const DenseFront<T>& there, const FrontFactorViews<T>& place, Level& level) {
    const TileGrid& grid = *place.grid;
    for (index_t j = 0; j < grid.tiles(); ++j) {
        const index_t first = std::max(there.first, grid.cut[at(j)]);
        const index_t columns = std::min(there.columns(), grid.cut[at(j) + 1]) - first;
        for (index_t i = 0; i < grid.tiles(); ++i) {
            const auto& tile = place.tiles[at(i) + at(j) * at(grid.tiles())];
            if (tile.data == nullptr) continue;
            const index_t end = grid.cut[at(std::min(i, j) + 1)];
            early_.end = there.first == 0 && end < there.npiv ? end : 0;
            add({there.data + grid.cut[at(i)] + first * there.ld, tile.data + (first - grid.cut[at(j)]) * tile.ld,
                 there.ld, tile.ld, grid.size(i), columns, symmetric_ && i == j},
                level);
        }
    }
    early_.end = 0;
}

template <class T>
void StorePlan<T>::add_pivots(const Front& front, const FrontFactorViews<T>& place, const DenseFront<T>& square) {
    if (place.part != nullptr && indefinite_)
        pivots.push_back(
            {square.pivots, place.part + front_panels(front, kind_).pivots, nullptr, nullptr, 0, front.npiv, nullptr});
    if (place.part != nullptr || kind_ == Factorization::llt) return;
    const TileGrid& grid = *place.grid;
    for (index_t k = 0; k < grid.own_tiles; ++k) {
        const index_t first = grid.cut[at(k)], count = grid.size(k);
        const PivotRecord<T> record = PivotRecord<T>::at(place.records[at(k)], count);
        pivots.push_back({indefinite_ ? square.pivots + 2 * static_cast<count_t>(first) : nullptr,
                          indefinite_ ? record.pivots : nullptr, square.perm + first, record.perm, first, count,
                          record.replaced});
    }
}

#define FROND_INSTANTIATE(T) template struct StorePlan<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

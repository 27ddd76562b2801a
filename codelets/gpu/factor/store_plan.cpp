// SPDX-License-Identifier: BSD-3-Clause
#include "factor/store_plan.hpp"

#include <algorithm>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/pivot_record.hpp"

namespace frond::gpu {

template <class T>
StorePlan<T>::StorePlan(const TreeTables<T>& tables, const std::vector<FrontFactorViews<T>>& places)
    : kind_(tables.plan().analysis.factorization),
      symmetric_(kind_ != Factorization::lu),
      indefinite_(kind_ == Factorization::ldlt || kind_ == Factorization::ldlh) {
    const SubtreePlan& tree = tables.plan().tree;
    blocks.reserve(places.size() * (symmetric_ ? 1 : 2));
    levels.resize(tree.levels().size());
    for (const SubtreePlan::Range& range : tree.ranges()) {
        if (!tables.is_own(range)) continue;
        for (index_t l = range.first_level; l < range.last_level; ++l) {
            Level& level = levels[at(l)];
            level.first = static_cast<index_t>(blocks.size());
            for (index_t k = tree.levels()[at(l)].first; k < tree.levels()[at(l)].last; ++k)
                add_front(tables, places[at(tree.fronts()[at(k)])], k, level);
            level.last = static_cast<index_t>(blocks.size());
        }
    }
}

template <class T>
void StorePlan<T>::add_front(const TreeTables<T>& tables, const FrontFactorViews<T>& place, index_t k, Level& level) {
    const index_t f = tables.plan().tree.fronts()[at(k)];
    const DenseFront<T>& square = tables.squares()[at(k)];
    if (place.part != nullptr)
        add_chunk_part(tables.plan().analysis.tree.fronts[at(f)], square, place.part, level);
    else
        add_tiles(square, place, level);
    if (T* const to = tables.saved_contribution(f); to != nullptr) add_contribution(square, to, level);
}

template <class T>
void StorePlan<T>::add(const StoreBlock<T>& block, Level& level) {
    if (block.rows == 0 || block.cols == 0) return;
    blocks.push_back(block);
    level.most_columns = std::max(level.most_columns, block.cols);
}

template <class T>
void StorePlan<T>::add_chunk_part(const Front& front, const DenseFront<T>& square, T* part, Level& level) {
    const FrontPanels panels = front_panels(front, kind_);
    add({square.data, part + panels.panel, square.ld, front.nfront, front.nfront, front.npiv, symmetric_}, level);
    if (!symmetric_)
        add({square.data + front.npiv * square.ld, part + panels.upper, square.ld, front.npiv, front.npiv, front.ncb(),
             false},
            level);
    if (indefinite_) pivots.push_back({square.pivots, part + panels.pivots, nullptr, nullptr, 0, front.npiv, nullptr});
}

template <class T>
void StorePlan<T>::add_contribution(const DenseFront<T>& square, T* to, Level& level) {
    const index_t ncb = square.order - square.npiv;
    StoreBlock<T> block{square.data + square.npiv * (1 + square.ld), to, square.ld, ncb, ncb, ncb};
    block.leave_upper = symmetric_;
    add(block, level);
}

template <class T>
void StorePlan<T>::add_tiles(const DenseFront<T>& square, const FrontFactorViews<T>& place, Level& level) {
    const TileGrid& grid = *place.grid;
    for (index_t j = 0; j < grid.tiles(); ++j)
        for (index_t i = 0; i < grid.tiles(); ++i) {
            const auto& tile = place.tiles[at(i) + at(j) * at(grid.tiles())];
            if (tile.data == nullptr) continue;
            add({square.data + grid.cut[at(i)] + grid.cut[at(j)] * square.ld, tile.data, square.ld, tile.ld,
                 grid.size(i), grid.size(j), symmetric_ && i == j},
                level);
        }
    if (kind_ == Factorization::llt) return;
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

// SPDX-License-Identifier: BSD-3-Clause
#include "solve/front_blocks.hpp"

#include <algorithm>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/pivot_record.hpp"

namespace frond::gpu {
namespace {

/// The tile whose rows include local row r.
index_t tile_of(const TileGrid& grid, index_t r) {
    return static_cast<index_t>(std::upper_bound(grid.cut.begin(), grid.cut.end(), r) - grid.cut.begin()) - 1;
}

}  // namespace

template <class T>
FrontBlocks<T>::FrontBlocks(const PlacedFactors<T>& factors, const VectorLayout& layout, const SolveSteps& steps,
                            const SolveMemory<S>& memory)
    : factors_(factors), layout_(layout), steps_(steps), memory_(memory), kind_(factors.analysis->factorization) {}

template <class T>
const Front& FrontBlocks<T>::front(index_t f) const {
    return factors_.analysis->tree.fronts[at(f)];
}

template <class T>
const FrontFactorViews<T>& FrontBlocks<T>::placed(index_t f) const {
    return factors_.fronts[at(f)];
}

template <class T>
DeviceScalar<T>* FrontBlocks<T>::rows(index_t f, index_t r) const {
    return memory_.vectors.front_rows + layout_.first_row[at(f)] + r;
}

template <class T>
DeviceScalar<T>* FrontBlocks<T>::w(index_t f, index_t column) const {
    return memory_.vectors.w + front(f).first_column + column;
}

template <class T>
DeviceScalar<T>* FrontBlocks<T>::x(index_t f, index_t column) const {
    return memory_.vectors.x + front(f).first_column + column;
}

template <class T>
const DeviceScalar<T>* FrontBlocks<T>::block(index_t f, index_t row, index_t column, count_t& ld) const {
    const Front& at_front = front(f);
    const FrontFactorViews<T>& p = placed(f);
    if (on_tiles(f)) {
        const auto& tile = p.tiles[at(tile_of(*p.grid, row)) + at(tile_of(*p.grid, column)) * at(p.grid->tiles())];
        ld = tile.ld;
        return reinterpret_cast<const S*>(tile.data);
    }
    const FrontPanels panels = front_panels(at_front, kind_);
    const bool upper = column >= at_front.npiv;
    ld = upper ? at_front.npiv : at_front.nfront;
    const T* const start = p.part + (upper ? panels.upper : panels.panel);
    return reinterpret_cast<const S*>(start + row + (upper ? column - at_front.npiv : column) * ld);
}

template <class T>
index_t FrontBlocks<T>::end_of_block(index_t f, index_t r, index_t last) const {
    if (!on_tiles(f)) return last;
    const TileGrid& grid = *placed(f).grid;
    return std::min(last, grid.cut[at(tile_of(grid, r)) + 1]);
}

template <class T>
const index_t* FrontBlocks<T>::tile_order(index_t f, count_t s) const {
    const FrontFactorViews<T>& p = placed(f);
    if (!on_tiles(f) || kind_ == Factorization::llt) return nullptr;
    return reinterpret_cast<const index_t*>(p.records[at(s)]);
}

template <class T>
void FrontBlocks<T>::begin_product(Out& out, index_t outputs, bool subtract, S* target, count_t target_ld) const {
    out.products.push_back(
        {static_cast<index_t>(out.pieces.size()), 0, outputs, subtract, target, target_ld, nullptr, 0, nullptr});
}

template <class T>
void FrontBlocks<T>::add_piece(Out& out, const S* matrix, count_t ld, index_t rows, index_t cols, const S* source,
                               count_t source_ld, const index_t* order, Shape shape) const {
    out.pieces.push_back({matrix, ld, source, source_ld, order, rows, cols, shape});
    ++out.products.back().pieces;
}

template <class T>
void FrontBlocks<T>::subtract_products(index_t f, index_t first, index_t last, index_t column, index_t width,
                                       Out& out) const {
    for (index_t r = first; r < last;) {
        const index_t end = end_of_block(f, r, last);
        count_t ld = 0;
        const S* const matrix = block(f, r, column, ld);
        begin_product(out, end - r, true, rows(f, r), memory_.vectors.front_rows_ld);
        add_piece(out, matrix, ld, end - r, width, w(f, column), memory_.vectors.n);
        r = end;
    }
}

template <class T>
void FrontBlocks<T>::subtract_transposed(index_t f, index_t first, index_t last, index_t own, Out& out) const {
    for (index_t c = first; c < last && own > 0;) {
        const index_t next = end_of_block(f, c, last);
        begin_product(out, next - c, true, rows(f, c), memory_.vectors.front_rows_ld);
        for (index_t r = 0; r < own;) {
            const index_t end = end_of_block(f, r, own);
            count_t ld = 0;
            const S* const matrix = block(f, r, c, ld);
            add_piece(out, matrix, ld, end - r, next - c, w(f, r), memory_.vectors.n);
            r = end;
        }
        c = next;
    }
}

#define FROND_INSTANTIATE(T) template class FrontBlocks<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

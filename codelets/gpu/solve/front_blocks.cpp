// SPDX-License-Identifier: BSD-3-Clause
#include "solve/front_blocks.hpp"

#include <algorithm>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/pivot_record.hpp"

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
void FrontBlocks<T>::forward_diagonal(index_t f, count_t s, Out& out) const {
    const SolveStep& step = steps_.step(f, s);
    begin_product(out, step.width, false, w(f, step.first), memory_.vectors.n);
    add_piece(out, memory_.inverses + step.lower, step.width, step.width, step.width, rows(f, step.first),
              memory_.vectors.front_rows_ld, tile_order(f, s), Shape::lower);
}

template <class T>
void FrontBlocks<T>::subtract_products(index_t f, index_t first, index_t last, index_t column, index_t width,
                                       Out& out) const {
    for (index_t r = first; r < last;) {
        const TileGrid* const grid = placed(f).grid;
        const index_t end = on_tiles(f) ? std::min(last, grid->cut[at(tile_of(*grid, r)) + 1]) : last;
        count_t ld = 0;
        const S* const matrix = block(f, r, column, ld);
        begin_product(out, end - r, true, rows(f, r), memory_.vectors.front_rows_ld);
        add_piece(out, matrix, ld, end - r, width, w(f, column), memory_.vectors.n);
        r = end;
    }
}

template <class T>
void FrontBlocks<T>::forward_below(index_t f, count_t s, Out& out) const {
    const SolveStep& step = steps_.step(f, s);
    subtract_products(f, step.first + step.width, front(f).nfront, step.first, step.width, out);
}

template <class T>
void FrontBlocks<T>::backward_above(index_t f, count_t s, Out& out) const {
    const SolveStep& step = steps_.step(f, s);
    subtract_products(f, 0, step.first, step.first, step.width, out);
}

template <class T>
void FrontBlocks<T>::backward_contribution(index_t f, Out& out) const {
    const Front& of = front(f);
    if (of.ncb() == 0) return;
    const TileGrid* const grid = placed(f).grid;
    for (index_t r = 0; r < of.npiv;) {
        const index_t end = on_tiles(f) ? grid->cut[at(tile_of(*grid, r)) + 1] : of.npiv;
        begin_product(out, end - r, true, rows(f, r), memory_.vectors.front_rows_ld);
        for (index_t c = of.npiv; c < of.nfront;) {
            const index_t next = on_tiles(f) ? grid->cut[at(tile_of(*grid, c)) + 1] : of.nfront;
            count_t ld = 0;
            const S* const matrix = block(f, r, c, ld);
            add_piece(out, matrix, ld, end - r, next - c, rows(f, c), memory_.vectors.front_rows_ld);
            c = next;
        }
        r = end;
    }
}

template <class T>
void FrontBlocks<T>::backward_transposed(index_t f, count_t s, Out& out) const {
    const SolveStep& step = steps_.step(f, s);
    const Front& of = front(f);
    const index_t first = step.first + step.width;
    if (first == of.nfront) return;
    begin_product(out, step.width, true, rows(f, step.first), memory_.vectors.front_rows_ld);
    const TileGrid* const grid = placed(f).grid;
    for (index_t r = first; r < of.nfront;) {
        const index_t whole = r < of.npiv ? of.npiv : of.nfront;
        const index_t end = on_tiles(f) ? grid->cut[at(tile_of(*grid, r)) + 1] : whole;
        count_t ld = 0;
        const S* const matrix = block(f, r, step.first, ld);
        if (r >= of.npiv)
            add_piece(out, matrix, ld, end - r, step.width, rows(f, r), memory_.vectors.front_rows_ld);
        else  // L_is has its rows in pivot order inside a subtree, in that of the front on tiles
            add_piece(out, matrix, ld, end - r, step.width, on_tiles(f) ? x(f, r) : w(f, r), memory_.vectors.n);
        r = end;
    }
}

template <class T>
void FrontBlocks<T>::backward_diagonal(index_t f, count_t s, bool lower, Out& out) const {
    const SolveStep& step = steps_.step(f, s);
    begin_product(out, step.width, false, w(f, step.first), memory_.vectors.n);
    add_piece(out, memory_.inverses + (lower ? step.lower : step.upper), step.width, step.width, step.width,
              rows(f, step.first), memory_.vectors.front_rows_ld, nullptr, lower ? Shape::lower : Shape::upper);
    SolveProduct<S>& product = out.products.back();
    const bool reordered = lower && kind_ != Factorization::llt;
    const bool by_front = reordered && !on_tiles(f);
    product.copy = x(f, by_front ? 0 : step.first);
    product.copy_ld = memory_.vectors.n;
    if (by_front)
        product.copy_order = memory_.pivot_order + front(f).first_column + step.first;
    else if (reordered)
        product.copy_order = tile_order(f, s);
}

template <class T>
void FrontBlocks<T>::subtract_transposed(index_t f, index_t first, index_t last, index_t own, Out& out) const {
    const TileGrid* const grid = placed(f).grid;
    for (index_t c = first; c < last && own > 0;) {
        const index_t next = on_tiles(f) ? std::min(last, grid->cut[at(tile_of(*grid, c)) + 1]) : last;
        begin_product(out, next - c, true, rows(f, c), memory_.vectors.front_rows_ld);
        for (index_t r = 0; r < own;) {
            const index_t end = on_tiles(f) ? std::min(own, grid->cut[at(tile_of(*grid, r)) + 1]) : own;
            count_t ld = 0;
            const S* const matrix = block(f, r, c, ld);
            add_piece(out, matrix, ld, end - r, next - c, w(f, r), memory_.vectors.n);
            r = end;
        }
        c = next;
    }
}

template <class T>
void FrontBlocks<T>::forward_beside(index_t f, count_t s, Out& out) const {
    const SolveStep& step = steps_.step(f, s);
    subtract_transposed(f, step.first, step.first + step.width, step.first, out);
}

template <class T>
void FrontBlocks<T>::forward_contribution(index_t f, Out& out) const {
    subtract_transposed(f, front(f).npiv, front(f).nfront, front(f).npiv, out);
}

template <class T>
void FrontBlocks<T>::forward_diagonal_upper(index_t f, count_t s, Out& out) const {
    const SolveStep& step = steps_.step(f, s);
    begin_product(out, step.width, false, w(f, step.first), memory_.vectors.n);
    add_piece(out, memory_.inverses + step.upper, step.width, step.width, step.width, rows(f, step.first),
              memory_.vectors.front_rows_ld, nullptr, Shape::upper);
}

template <class T>
void FrontBlocks<T>::add_run(Out& out, const S* pivots, index_t first, index_t count) const {
    for (index_t k = 0; k < count; k += pivot_run)
        out.runs.push_back({pivots + 2 * static_cast<count_t>(k), first + k, std::min(pivot_run, count - k), k == 0});
}

template <class T>
void FrontBlocks<T>::divide(index_t f, Out& out) const {
    const Front& of = front(f);
    const FrontFactorViews<T>& p = placed(f);
    if (!on_tiles(f)) {
        const T* const pivots = p.part + front_panels(of, kind_).pivots;
        return add_run(out, reinterpret_cast<const S*>(pivots), of.first_column, of.npiv);
    }
    for (index_t k = 0; k < p.grid->own_tiles; ++k) {
        const unsigned char* const pivots = p.records[at(k)] + PivotRecord<T>::pivots_offset_bytes(p.grid->size(k));
        add_run(out, reinterpret_cast<const S*>(pivots), of.first_column + p.grid->cut[at(k)], p.grid->size(k));
    }
}

#define FROND_INSTANTIATE(T) template class FrontBlocks<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

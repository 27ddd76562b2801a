// SPDX-License-Identifier: BSD-3-Clause
// The products of the forward sweep, and the division by the pivots that follows it.
#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "solve/front_blocks.hpp"

#include <algorithm>

namespace frond::gpu {

template <class T>
void FrontBlocks<T>::forward_diagonal(index_t f, count_t s, Out& out) const {
    const SolveStep& step = steps_.step(f, s);
    begin_product(out, step.width, false, w(f, step.first), memory_.vectors.n);
    add_piece(out, memory_.inverses + step.lower, step.width, step.width, step.width, rows(f, step.first),
              memory_.vectors.front_rows_ld, tile_order(f, s), Shape::lower);
}

template <class T>
void FrontBlocks<T>::forward_below(index_t f, count_t s, Out& out) const {
    const SolveStep& step = steps_.step(f, s);
    subtract_products(f, step.first + step.width, front(f).nfront, step.first, step.width, out);
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

// The products of the backward sweep.

template <class T>
void FrontBlocks<T>::backward_above(index_t f, count_t s, Out& out) const {
    const SolveStep& step = steps_.step(f, s);
    subtract_products(f, 0, step.first, step.first, step.width, out);
}

template <class T>
void FrontBlocks<T>::backward_contribution(index_t f, Out& out) const {
    const Front& of = front(f);
    if (of.ncb() == 0) return;
    for (index_t r = 0; r < of.npiv;) {
        const index_t end = end_of_block(f, r, of.npiv);
        begin_product(out, end - r, true, rows(f, r), memory_.vectors.front_rows_ld);
        for (index_t c = of.npiv; c < of.nfront;) {
            const index_t next = end_of_block(f, c, of.nfront);
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
    for (index_t r = first; r < of.nfront;) {
        const index_t whole = r < of.npiv ? of.npiv : of.nfront;
        const index_t end = end_of_block(f, r, whole);
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

#define FROND_INSTANTIATE(T)                                                            \
    template void FrontBlocks<T>::forward_diagonal(index_t, count_t, Out&) const;       \
    template void FrontBlocks<T>::forward_below(index_t, count_t, Out&) const;          \
    template void FrontBlocks<T>::forward_beside(index_t, count_t, Out&) const;         \
    template void FrontBlocks<T>::forward_contribution(index_t, Out&) const;            \
    template void FrontBlocks<T>::forward_diagonal_upper(index_t, count_t, Out&) const; \
    template void FrontBlocks<T>::add_run(Out&, const S*, index_t, index_t) const;      \
    template void FrontBlocks<T>::divide(index_t, Out&) const;                          \
    template void FrontBlocks<T>::backward_above(index_t, count_t, Out&) const;         \
    template void FrontBlocks<T>::backward_contribution(index_t, Out&) const;           \
    template void FrontBlocks<T>::backward_transposed(index_t, count_t, Out&) const;    \
    template void FrontBlocks<T>::backward_diagonal(index_t, count_t, bool, Out&) const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

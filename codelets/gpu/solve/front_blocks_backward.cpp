// SPDX-License-Identifier: BSD-3-Clause
// The products of the backward sweep.
#include "solve/front_blocks.hpp"

#include <algorithm>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {

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

#define FROND_INSTANTIATE(T)                                                         \
    template void FrontBlocks<T>::backward_above(index_t, count_t, Out&) const;      \
    template void FrontBlocks<T>::backward_contribution(index_t, Out&) const;        \
    template void FrontBlocks<T>::backward_transposed(index_t, count_t, Out&) const; \
    template void FrontBlocks<T>::backward_diagonal(index_t, count_t, bool, Out&) const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Elimination backwards: block by block from the last pivot, the product that an elimination step
// subtracted is added again. With |l| bounded inside the diagonal block the terms stay of the size
// of the block's entries, whatever the rows below it look like.
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"
#include "triangle_products.hpp"

#include <algorithm>

namespace frond::cpu {

namespace {

/// A 2x2 pivot [d1 e'; e d2], or d1 alone.
template <class T>
struct Pivot {
    T d1, e, d2;
    bool pair;
    bool hermitian;

    Pivot(const T* pivots, index_t p, bool pair_, bool hermitian_)
        : d1(pivots[2 * p]),
          e(pair_ ? pivots[2 * p + 1] : T(0)),
          d2(pair_ ? pivots[2 * p + 2] : T(0)),
          pair(pair_),
          hermitian(hermitian_) {}

    /// Columns l1 (and l2) [m] := [l1 l2] D
    void multiply_columns(index_t m, T* l1, T* l2) const {
        const T upper = conjugate_if(hermitian, e);
        for (index_t i = 0; i < m; ++i) {
            const T x = l1[i];
            l1[i] = multiply(x, d1);
            if (!pair) continue;
            const T y = l2[i];
            l1[i] += multiply(y, e);
            l2[i] = multiply(x, upper) + multiply(y, d2);
        }
    }
};

/// Calls visit(first column, is a pair) for the pivots of columns 0 .. n - 1, last one first.
template <class T, class Visit>
void for_each_pivot_backwards(index_t n, const T* pivots, Visit visit) {
    for (index_t end = n; end > 0;) {
        const index_t p = whole_pivots(end - 1, pivots);
        visit(p, p < end - 1);
        end = p;
    }
}

/// Columns 0 .. n - 1 of L, rows of l: L := L D.
template <class T>
void multiply_by_pivots(DenseView<T> l, const T* pivots, bool hermitian) {
    for_each_pivot_backwards(l.cols, pivots, [&](index_t p, bool pair) {
        const Pivot<T> pivot(pivots, p, pair, hermitian);
        pivot.multiply_columns(l.rows, l.column(p), pair ? l.column(p + 1) : nullptr);
    });
}

/// The lower triangle of L := L D L^T of a small block.
template <class T>
void unfactor_small(DenseView<T> a, bool hermitian, const T* pivots) {
    const index_t n = a.cols;
    for_each_pivot_backwards(n, pivots, [&](index_t p, bool pair) {
        const Pivot<T> pivot(pivots, p, pair, hermitian);
        const index_t below = p + 1 + pair;
        T *l1 = a.column(p), *l2 = pair ? a.column(p + 1) : l1;
        for (index_t c = below; c < n; ++c) {
            const T x = conjugate_if(hermitian, l1[c]), y = conjugate_if(hermitian, l2[c]);
            const T f1 = multiply(pivot.d1, x) + multiply(conjugate_if(hermitian, pivot.e), y);
            const T f2 = multiply(pivot.e, x) + multiply(pivot.d2, y);
            for (index_t i = c; i < n; ++i) a(i, c) += multiply(l1[i], f1) + multiply(l2[i], f2);
        }
        pivot.multiply_columns(n - below, l1 + below, l2 + below);
        a(p, p) = pivot.d1;
        if (!pair) return;
        a(p + 1, p) = pivot.e;
        a(p + 1, p + 1) = pivot.d2;
    });
}

/// C := C + L (L D)^T in the lower triangle, by chunks of its columns.
template <class T>
void add_product(DenseView<const T> l, const T* pivots, bool hermitian, DenseView<T> c) {
    for (index_t j = 0; j < c.cols; j += unfactor_chunk) {
        const index_t width = std::min(unfactor_chunk, c.cols - j), below = c.cols - j - width;
        const auto rows = l.block(j, 0, width, l.cols);
        const Negated<T> l_d(rows);
        multiply_by_pivots(l_d.view(), pivots, hermitian);
        update_lower<T>(rows, l_d.view(), hermitian, c.block(j, j, width, width));
        if (below > 0)
            update_transposed<T>(l.block(j + width, 0, below, l.cols), l_d.view(), hermitian,
                                 c.block(j + width, j, below, width));
    }
}

}  // namespace

template <class T>
void unfactor_ldlt(DenseView<T> a, bool hermitian, index_t kept, const T* pivots, const T* replaced) {
    const index_t n = a.cols;
    for (index_t end = n; end > kept;) {
        index_t begin = std::max(kept, end - unfactor_block + 1);
        if (begin > kept) begin = whole_pivots(begin, pivots);
        const index_t width = end - begin, below = n - end;
        const T* own = pivots + 2 * begin;
        const auto diagonal = a.block(begin, begin, width, width);
        const auto rows = a.block(end, begin, below, width);
        if (below > 0) {
            add_product<T>(rows, own, hermitian, a.block(end, end, below, below));
            multiply_by_pivots(rows, own, hermitian);
            multiply_right_unit_lower<T>(diagonal, hermitian, rows);
        }
        unfactor_small(diagonal, hermitian, own);
        end = begin;
    }
    for (index_t k = kept; k < n; ++k) a(k, k) -= replaced[k];
}

namespace {

/// A := L U of a small block.
template <class T>
void unfactor_small_lu(DenseView<T> a) {
    const index_t n = a.cols;
    for (index_t p = n - 1; p >= 0; --p) {
        for (index_t c = p + 1; c < n; ++c)
            for (index_t i = p + 1; i < n; ++i) a(i, c) += multiply(a(i, p), a(p, c));
        for (index_t i = p + 1; i < n; ++i) a(i, p) = multiply(a(i, p), a(p, p));
    }
}

}  // namespace

template <class T>
void unfactor_lu(DenseView<T> a, index_t kept, const T* replaced) {
    const index_t n = a.cols;
    for (index_t end = n; end > kept;) {
        const index_t begin = std::max(kept, end - unfactor_block);
        const index_t width = end - begin, after = n - end;
        const auto diagonal = a.block(begin, begin, width, width);
        const auto l21 = a.block(end, begin, after, width), u12 = a.block(begin, end, width, after);
        for (index_t j = 0; j < after; j += unfactor_chunk) {
            const index_t columns = std::min(unfactor_chunk, after - j);
            const Negated<T> u(u12.block(0, j, width, columns));
            update_general<T>(l21, u.view(), a.block(end, end + j, after, columns));
        }
        multiply_right_upper<T>(diagonal, l21);
        multiply_left_unit_lower<T>(diagonal, u12);
        unfactor_small_lu(diagonal);
        end = begin;
    }
    for (index_t k = kept; k < n; ++k) a(k, k) -= replaced[k];
}

#define FROND_INSTANTIATE(T)                                                         \
    template void unfactor_ldlt<T>(DenseView<T>, bool, index_t, const T*, const T*); \
    template void unfactor_lu<T>(DenseView<T>, index_t, const T*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

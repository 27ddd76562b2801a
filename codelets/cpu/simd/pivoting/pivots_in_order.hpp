// SPDX-License-Identifier: BSD-3-Clause
// L D L^T or L D L^H while no exchange is called for: blocks of columns as of L L^H, left-looking,
// diagonal block in registers, their 1x1 pivots tested in the same pass. A block with a column that
// fails is left as it was, to the search.
#pragma once

#include "diagonal_block.hpp"
#include "../largest_magnitude.hpp"

namespace frond::cpu::FROND_ISA {

/// Columns first .. of the lower triangle a [n, n], as RookBlock has them; w [n, ..]: L D.
template <class T, bool hermitian>
class PivotsInOrder {
public:
    using R = real_t<T>;

    /// A pivot passes when |d| >= ordinary and no entry of L in its column is above largest_l.
    PivotsInOrder(index_t n, index_t first, T* a, index_t lda, T* pivots, T* w, R ordinary, R largest_l)
        : n_(n), first_(first), a_(a), lda_(lda), pivots_(pivots), w_(w), ordinary_(ordinary), largest_l_(largest_l) {}

    /// Returns the first column not eliminated: `end`, or one of a block that did not pass.
    index_t run(index_t end) {
        constexpr int C = block_columns<T> < lanes<T> ? block_columns<T> : lanes<T>;
        index_t k = first_;
        while (k + C <= end) {
            if (!take<C>(k)) return k;
            k += C;
        }
        take_rest<C / 2>(k, end);
        return k;
    }

private:
    T& a(index_t i, index_t j) { return a_[i + static_cast<count_t>(j) * lda_]; }

    T& w(index_t i, index_t j) { return w_[i + static_cast<count_t>(j) * n_]; }

    template <int C>
    FROND_INLINE void take_rest(index_t& k, index_t end) {
        if constexpr (C > 0) {
            if (k + C <= end) {
                if (!take<C>(k)) return;
                k += C;
            }
            take_rest<C / 2>(k, end);
        }
    }

    /// Nothing but w is written when a column does not pass.
    template <int C>
    FROND_INLINE bool take(index_t k) {
        DiagonalBlock<T, C, hermitian> block;
        block.load_updated(k - first_, &a(k, first_), lda_, &w(k, 0), n_, &a(k, k), lda_);
        block.factor();
        R limit[C];
        if (!passes<C>(block, limit)) return false;
        TriangleCoefficients<T, C> triangle;
#pragma GCC unroll 8
        for (int j = 0; j < C; ++j) triangle.take_row(j, block.column_of_l(j), hermitian);
        if (!solve_rows<C>(k, triangle, limit)) return false;
        store_block<C>(k, block);
        return true;
    }

    template <int C>
    FROND_INLINE bool passes(const DiagonalBlock<T, C, hermitian>& block, R (&limit)[C]) const {
        WithinLimits<T> within;
        bool ordinary = true;
#pragma GCC unroll 8
        for (int j = 0; j < C; ++j) {
            const R size = abs1(T(block.pivot[j]));
            ordinary &= size >= ordinary_ && size <= std::numeric_limits<R>::max();
            limit[j] = size * largest_l_;
            within.look_at(block.column[j], limit[j], j + 1, C);
        }
        return ordinary && within.all();
    }

    /// w := L D in the rows below the block; false when one is above its limit.
    template <int C>
    FROND_INLINE bool solve_rows(index_t k, const TriangleCoefficients<T, C>& triangle, const R (&limit)[C]) {
        const index_t done = k - first_, below = k + C;
        WithinLimits<T> within;
        for_each_strip<T>(
            n_ - below, [&]<int V, bool masked>(index_t i, int last) __attribute__((always_inline)) {
                right_solve_block<T, V, C, Right::transposed, masked, true>(
                    done, &w(below + i, 0), n_, &a(k, first_), lda_, hermitian, triangle, &a(below + i, k), lda_,
                    last, [&](int j, int v, Vector<T> y) __attribute__((always_inline)) {
                        within.look_at(y, limit[j]);
                        store_in_strip<T, V, masked>(&w(below + i, done + j), v, y, last);
                    });
            });
        return within.all();
    }

    template <int C>
    FROND_INLINE void store_block(index_t k, const DiagonalBlock<T, C, hermitian>& block) {
        const index_t below = k + C;
        for (int j = 0; j < C; ++j) {
            pivots_[2 * (k + j)] = T(block.pivot[j]);
            pivots_[2 * (k + j) + 1] = 0;
            a(k + j, k + j) = 1;
            store_span<T>(&a(k, k + j), block.column_of_l(j), j + 1, C);
            if (below == n_) continue;
            const T inverse = T(block.inverse[j]), *from = &w(below, k - first_ + j);
            T* to = &a(below, k + j);
            for_each_vector<T>(
                n_ - below, [&](index_t i, auto span) __attribute__((always_inline)) {
                    span.put(to + i, scaled<T>(span.get(from + i), inverse));
                });
        }
    }

    index_t n_, first_;
    T* a_;
    index_t lda_;
    T* pivots_;
    T* w_;
    R ordinary_, largest_l_;
};

}  // namespace frond::cpu::FROND_ISA

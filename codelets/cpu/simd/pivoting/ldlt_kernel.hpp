// SPDX-License-Identifier: BSD-3-Clause
// P A P^T = L D L^T or L D L^H with rook pivoting (Ashcraft, Grimes & Lewis 1998, section 4) and
// delayed updates: within a block of columns only the candidate columns are brought up to date; the
// rest of the matrix follows by one product after the block (Anderson & Dongarra 1989; LAPACK
// working note 19). The search starts where the pivots in the order they come stop passing its
// test.
#pragma once

#include "../../scalar.hpp"
#include "../pivot_judge.hpp"
#include "pivots_in_order.hpp"
#include "rook_columns.hpp"

namespace frond::cpu::FROND_ISA {

/// alpha = (1 + sqrt 17) / 8: the growth of one 2x2 step equals that of two 1x1 steps
/// (Bunch & Kaufman 1977, section 2).
inline constexpr double rook_alpha = 0.6403882032022076;

/// Search and elimination in these columns.
template <class T>
class RookBlock : RookColumns<T> {
    using Columns = RookColumns<T>;
    using Columns::a;
    using Columns::a_;
    using Columns::copy_candidate;
    using Columns::exchange;
    using Columns::first_;
    using Columns::hermitian_;
    using Columns::lda_;
    using Columns::n_;
    using Columns::other_side;
    using Columns::swaps_;
    using Columns::update_candidate;
    using Columns::update_column;
    using Columns::w;
    using Columns::w_;

public:
    using R = real_t<T>;

    RookBlock(index_t n, index_t first, T* a, index_t lda, bool hermitian, T* pivots, index_t* perm, T* w,
              index_t* swaps, const simd::PivotJudge<T>& judge)
        : Columns(n, first, a, lda, hermitian, perm, w, swaps), pivots_(pivots), judge_(judge) {}

    /// Eliminates `columns` columns, one more if a 2x2 pivot comes last; returns the first one not
    /// eliminated.
    index_t run(index_t columns) {
        const index_t end = std::min(n_, first_ + columns);
        index_t k = take_in_order(end);
        for (index_t j = first_; j < k; ++j) swaps_[j - first_] = j;
        while (k < end) k = step(k);
        return k;
    }

private:
    index_t take_in_order(index_t end) {
        constexpr R largest_l = R(1) / R(rook_alpha);
        if (is_complex<T> && !hermitian_)
            return PivotsInOrder<T, !is_complex<T>>(n_, first_, a_, lda_, pivots_, w_, judge_.ordinary, largest_l)
                .run(end);
        return PivotsInOrder<T, true>(n_, first_, a_, lda_, pivots_, w_, judge_.ordinary, largest_l).run(end);
    }

    R diagonal_size(T x) const { return hermitian_ ? std::abs(real_part(x)) : abs1(x); }

    index_t step(index_t k) {
        const index_t slot = k - first_;
        swaps_[slot] = k;
        R column_max = 0;
        index_t i = update_column(k, slot, column_max);
        if (i < 0 || diagonal_size(w(k, slot)) >= R(rook_alpha) * column_max) return eliminate_one(k);
        index_t p = k;
        for (index_t tries = k; tries < n_; ++tries) {
            R row_max = 0;
            const index_t j = update_candidate(k, i, slot + 1, row_max);
            if (diagonal_size(w(i, slot + 1)) >= R(rook_alpha) * row_max) {
                copy_candidate(k, slot);
                exchange(k, i, slot, slot + 1);
                return eliminate_one(k);
            }
            if (j == p || !(row_max > column_max)) break;
            copy_candidate(k, slot);
            p = i;
            i = j;
            column_max = row_max;
        }
        return eliminate_pair(k, p, i);
    }

    index_t eliminate_one(index_t k) {
        const index_t slot = k - first_;
        T d = w(k, slot);
        if (!(abs1(d) >= judge_.ordinary)) d = judge_.raise(judge_.counter, d, k);
        pivots_[2 * k] = d;
        pivots_[2 * k + 1] = 0;
        a(k, k) = 1;
        if (n_ - k > 1) divide_column<T>(n_ - k - 1, &w(k, slot) + 1, &a(k, k) + 1, d);
        return k + 1;
    }

    /// Columns p and i, in w(:, slot) and w(:, slot + 1), as a 2x2 pivot at k, k + 1; or a 1x1
    /// pivot, when the pair is too small: then every entry of the column is within 1 / 0.36 of
    /// the limit that the pivot is raised to.
    index_t eliminate_pair(index_t k, index_t p, index_t i) {
        const index_t slot = k - first_;
        exchange(k, p, slot, slot + 2);
        if (i == k) i = p;
        const T d11 = w(k, slot), e = w(i, slot), d22 = w(i, slot + 1);
        // Over |e|^2, which may leave the range of the scalar.
        const R determinant = std::abs(multiply(d11 / other_side(e), d22 / e) - T(1));
        const R size = std::max(std::abs(d11), std::abs(d22)) + std::abs(e);
        const bool taken =
            determinant * (std::abs(e) / size) * std::abs(e) >= static_cast<R>(judge_.smallest) && determinant > 0;
        if (!taken) return eliminate_one(k);
        exchange(k + 1, i, slot, slot + 2);
        judge_.count_two_by_two(judge_.counter, d11, e, d22);
        pivots_[2 * k] = d11;
        pivots_[2 * k + 1] = e;
        pivots_[2 * k + 2] = d22;
        pivots_[2 * k + 3] = 0;
        const TwoByTwoInverse<T> inverse(d11, e, d22, hermitian_);
        a(k, k) = a(k + 1, k + 1) = 1;
        a(k + 1, k) = 0;
        for (index_t r = k + 2; r < n_; ++r) {
            const T x = w(r, slot), y = w(r, slot + 1);
            a(r, k) = multiply(x, inverse.a11) + multiply(y, inverse.a21);
            a(r, k + 1) = multiply(x, inverse.a12) + multiply(y, inverse.a22);
        }
        return k + 2;
    }

    T* pivots_;
    simd::PivotJudge<T> judge_;
};

/// One block of at most ldlt_block columns from `first` on; returns the first column not
/// eliminated.
template <class T>
index_t ldlt_columns(index_t n, index_t first, index_t columns, T* a, index_t lda, bool hermitian, T* pivots,
                     index_t* perm, T* w, index_t* swaps, const simd::PivotJudge<T>& judge) {
    return RookBlock<T>(n, first, a, lda, hermitian, pivots, perm, w, swaps, judge).run(columns);
}

}  // namespace frond::cpu::FROND_ISA

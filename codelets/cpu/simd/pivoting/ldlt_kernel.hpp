// SPDX-License-Identifier: BSD-3-Clause
// P A P^T = L D L^T or L D L^H with rook pivoting (Ashcraft, Grimes & Lewis 1998, section 4) and
// delayed updates: within a block of columns only the candidate columns are brought up to date; the
// rest of the matrix follows by one product after the block (Anderson & Dongarra 1989; LAPACK
// working note 19). The search starts where the pivots in the order they come stop passing its
// test.
#pragma once

#include "../../divide_by_pivots.hpp"
#include "../products/matrix_vector.hpp"
#include "../pivot_judge.hpp"
#include "pivots_in_order.hpp"
#include "../products/update_kernels.hpp"
#include "../vector_search.hpp"

namespace frond::cpu::FROND_ISA {

/// alpha = (1 + sqrt 17) / 8: the growth of one 2x2 step equals that of two 1x1 steps
/// (Bunch & Kaufman 1977, section 2).
inline constexpr double rook_alpha = 0.6403882032022076;

inline constexpr index_t ldlt_block = simd::ldlt_block;

/// One block of columns first .. of the lower triangle a [n, n]; w [n, ldlt_block + 1] holds L D of
/// the block and the candidate columns.
template <class T>
class RookBlock {
public:
    using R = real_t<T>;

    RookBlock(index_t n, index_t first, T* a, index_t lda, bool hermitian, T* pivots, index_t* perm, T* w,
              index_t* swaps, const simd::PivotJudge<T>& judge)
        : n_(n),
          first_(first),
          a_(a),
          lda_(lda),
          hermitian_(hermitian),
          pivots_(pivots),
          perm_(perm),
          w_(w),
          swaps_(swaps),
          judge_(judge) {}

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
    T& a(index_t i, index_t j) { return a_[i + static_cast<count_t>(j) * lda_]; }

    T& w(index_t i, index_t j) { return w_[i + static_cast<count_t>(j) * n_]; }

    index_t take_in_order(index_t end) {
        constexpr R largest_l = R(1) / R(rook_alpha);
        if (is_complex<T> && !hermitian_)
            return PivotsInOrder<T, !is_complex<T>>(n_, first_, a_, lda_, pivots_, w_, judge_.ordinary, largest_l)
                .run(end);
        return PivotsInOrder<T, true>(n_, first_, a_, lda_, pivots_, w_, judge_.ordinary, largest_l).run(end);
    }

    T other_side(T x) const { return hermitian_ ? conjugate(x) : x; }

    R diagonal_size(T x) const { return hermitian_ ? std::abs(real_part(x)) : abs1(x); }

    /// w(k:n, slot) := column k of the matrix with the eliminated columns of the block subtracted.
    /// Returns the row of its largest entry below the diagonal, -1 when all are zero or NaN.
    index_t update_column(index_t k, index_t slot, R& largest) {
        const index_t done = gather_row(k, k);
        LargestEntry<T> search;
        T* to = &w(k, slot);
        visit_reduced<T>(
            n_ - k, done, &a(k, first_), lda_, factor_,
            &a(k, k), [&](index_t i, auto span, Vector<T> x) __attribute__((always_inline)) {
                span.put(to + i, x);
                search.look_at(x, i, i == 0 ? 1 : 0, span.last());
            });
        if (hermitian_) *to = real_part(*to);
        const index_t at = search.find(largest);
        return at < 0 || !(largest > 0) ? -1 : k + at;
    }

    /// The same for column c > k into the next slot; the row above its diagonal is row c of the
    /// lower triangle.
    index_t update_candidate(index_t k, index_t c, index_t slot, R& largest) {
        for (index_t j = k; j < c; ++j) w(j, slot) = other_side(a(c, j));
        std::copy(&a(c, c), &a(n_ - 1, c) + 1, &w(c, slot));
        const index_t done = gather_row(k, c);
        T* to = &w(k, slot);
        visit_reduced<T>(
            n_ - k, done, &a(k, first_), lda_, factor_,
            to, [&](index_t i, auto span, Vector<T> x) __attribute__((always_inline)) { span.put(to + i, x); });
        if (hermitian_) w(c, slot) = real_part(w(c, slot));
        return largest_off_diagonal(k, c, slot, largest);
    }

    /// factor_[p] := the entries of L D that multiply L in column c; returns their number.
    index_t gather_row(index_t k, index_t c) {
        const index_t done = k - first_;
        for (index_t p = 0; p < done; ++p) factor_[p] = other_side(w(c, p));
        return done;
    }

    /// Largest entry of w(k:n, slot) but that of row c; -1 when all are zero.
    index_t largest_off_diagonal(index_t k, index_t c, index_t slot, R& largest) {
        const T diagonal = w(c, slot);
        w(c, slot) = 0;
        const index_t at = largest_entry<T>(n_ - k, &w(k, slot), largest);
        w(c, slot) = diagonal;
        return at < 0 || !(largest > 0) ? -1 : k + at;
    }

    /// Rows and columns k <= p of the matrix change places. Column k of the matrix itself is in w
    /// and about to be overwritten by L, so it is copied to p, not exchanged. Columns of L before
    /// this block follow later, by swaps.
    void exchange(index_t k, index_t p, index_t done, index_t slots) {
        swaps_[k - first_] = p;
        if (k == p) return;
        std::swap(perm_[k], perm_[p]);
        a(p, p) = a(k, k);
        for (index_t i = k + 1; i < p; ++i) a(p, i) = other_side(a(i, k));
        std::copy(&a(p, k) + 1, &a(n_ - 1, k) + 1, &a(p, p) + 1);
        for (index_t j = first_; j < first_ + done; ++j) std::swap(a(k, j), a(p, j));
        for (index_t j = 0; j < slots; ++j) std::swap(w(k, j), w(p, j));
    }

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

    void copy_candidate(index_t k, index_t slot) {
        for (index_t r = k; r < n_; ++r) w(r, slot) = w(r, slot + 1);
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

    index_t n_, first_;
    T* a_;
    index_t lda_;
    bool hermitian_;
    T* pivots_;
    index_t* perm_;
    T* w_;
    index_t* swaps_;
    simd::PivotJudge<T> judge_;
    T factor_[ldlt_block];
};

/// One block of at most ldlt_block columns from `first` on; returns the first column not
/// eliminated.
template <class T>
index_t ldlt_columns(index_t n, index_t first, index_t columns, T* a, index_t lda, bool hermitian, T* pivots,
                     index_t* perm, T* w, index_t* swaps, const simd::PivotJudge<T>& judge) {
    return RookBlock<T>(n, first, a, lda, hermitian, pivots, perm, w, swaps, judge).run(columns);
}

}  // namespace frond::cpu::FROND_ISA

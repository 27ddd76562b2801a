// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../scalar.hpp"
#include "../products/matrix_vector.hpp"
#include "../products/update_kernels.hpp"
#include "../largest_magnitude.hpp"

#include <algorithm>
#include <utility>

namespace frond::cpu::FROND_ISA {

inline constexpr index_t ldlt_block = simd::ldlt_block;

/// The columns first .. of a block of the lower triangle a [n, n], and w [n, ldlt_block + 1], which holds L D of the block
/// and the candidate columns: what the search for a pivot brings up to date, compares and exchanges.
template <class T>
class RookColumns {
public:
    using R = real_t<T>;

    RookColumns(index_t n, index_t first, T* a, index_t lda, bool hermitian, index_t* perm, T* w, index_t* swaps)
        : n_(n), first_(first), a_(a), lda_(lda), hermitian_(hermitian), perm_(perm), w_(w), swaps_(swaps) {}

    T& a(index_t i, index_t j) { return a_[i + static_cast<count_t>(j) * lda_]; }

    T& w(index_t i, index_t j) { return w_[i + static_cast<count_t>(j) * n_]; }

    T other_side(T x) const { return hermitian_ ? conjugate(x) : x; }

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

    /// Rows and columns k <= p of the matrix are exchanged. Column k of the matrix itself is in w
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

    void copy_candidate(index_t k, index_t slot) {
        for (index_t r = k; r < n_; ++r) w(r, slot) = w(r, slot + 1);
    }

protected:
    index_t n_, first_;
    T* a_;
    index_t lda_;
    bool hermitian_;
    index_t* perm_;
    T* w_;
    index_t* swaps_;

private:
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

    T factor_[ldlt_block];
};

}  // namespace frond::cpu::FROND_ISA

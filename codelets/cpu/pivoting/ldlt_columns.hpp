// SPDX-License-Identifier: BSD-3-Clause
// The fully summed columns of the second pass of LDL^T, in full (both triangles): each knows how many pivots of the current
// block were applied to it, and is brought up to date when it is looked at.
#pragma once

#include "../scalar.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"
#include "second_pass_rule.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <utility>

namespace frond::cpu {

/// A candidate 2x2 pivot [d1 e'; e d2], scaled by e so that its determinant does not overflow; where it
/// does all the same, e is nothing against the diagonal, and the pair no pivot.
template <class T>
struct PivotPair {
    using R = real_t<T>;

    /// Bound on |l| in both columns: |D^-1| [outside1; outside2] (Hogg, Ovtchinnikov & Scott
    /// 2016, equation 5).
    double bound = HUGE_VAL;

    PivotPair() = default;

    /// outside: largest entry of each column in the other rows. The bound stays infinite when the
    /// smallest singular value may be at or below zero, and when the determinant has lost so many
    /// digits that the bound itself were in doubt (equation 6, with 1/4 in place of 1/2).
    PivotPair(T d1, T e, T d2, bool hermitian, const R outside[2], R zero) {
        const T s = multiply(d1 / conjugate_if(hermitian, e), d2 / e);
        const double product = std::abs(s), determinant = std::abs(s - T(1));  // over |e|^2
        if (!std::isfinite(product)) return;
        if (!(determinant >= 0.25 * std::max(product, 1.0))) return;
        const double size = std::abs(e), norm = std::max<double>(std::abs(d1), std::abs(d2)) + size;
        if (!(determinant * (size / norm) * size > static_cast<double>(zero))) return;
        const TwoByTwoInverse<T> inverse(d1, e, d2, hermitian);
        const auto row = [&](T x, T y) {
            return static_cast<double>(std::abs(x)) * static_cast<double>(outside[0]) +
                   static_cast<double>(std::abs(y)) * static_cast<double>(outside[1]);
        };
        const double both[2] = {row(inverse.a11, inverse.a21), row(inverse.a12, inverse.a22)};
        if (std::isfinite(both[0]) && std::isfinite(both[1])) bound = std::max(both[0], both[1]);
    }
};

template <class T>
class LdltColumns {
public:
    using R = real_t<T>;

    struct Column {
        R diagonal = 0;  // |d|
        LargestOfRows<T> inside;  // off the diagonal, among the fully summed rows
        LargestOfRows<T> outside;

        R size() const { return std::max(inside.size, outside.size); }
    };

    LdltColumns(DenseView<T> a, bool hermitian, T* pivots, index_t* perm, T* workspace, double* null_rest)
        : a_(a),
          w_{workspace, a.rows, second_pass_block, std::max<index_t>(a.rows, 1)},
          hermitian_(hermitian),
          pivots_(pivots),
          perm_(perm),
          null_rest_(null_rest) {
        static_assert(sizeof(T) >= sizeof(index_t));
        const auto f = static_cast<std::size_t>(a.cols);
        void* rest = workspace + static_cast<count_t>(a.rows) * second_pass_block;
        applied_ = ::new (rest) index_t[f];
        std::fill_n(applied_, f, 0);
        std::iota(perm, perm + f, 0);
        if (null_rest != nullptr) std::fill_n(null_rest, f, 0.0);
        mirror();
    }

    /// Pivots eliminated so far; the columns from there on are candidates.
    index_t eliminated() const { return k_; }
    SecondPassOutcome outcome() const { return {k_, null_}; }
    double largest_l() const { return largest_l_; }
    /// Has no room for a 2x2 pivot.
    bool block_is_full() const { return k_ + 1 - first_ >= second_pass_block; }

    /// Subtracts the pivots that column c has not seen.
    Column bring_up(index_t c) {
        const index_t from = applied_[c], n = k_ - from;
        T factor[second_pass_block];
        for (index_t p = 0; p < n; ++p) factor[p] = other_side(w_(c, from - first_ + p));
        const T* l = a_.column(from);
        T* x = a_.column(c);
        Column column;
        reduce_rows(k_, c, n, l, a_.ld, factor, x, column.inside);
        LargestOfRows<T> diagonal;
        reduce_rows(c, c + 1, n, l, a_.ld, factor, x, diagonal);
        reduce_rows(c + 1, a_.cols, n, l, a_.ld, factor, x, column.inside);
        reduce_rows(a_.cols, a_.rows, n, l, a_.ld, factor, x, column.outside);
        applied_[c] = k_;
        if (hermitian_) x[c] = real_part(x[c]);
        column.diagonal = std::abs(x[c]);
        return column;
    }

    PivotPair<T> pair_of(index_t c, index_t t, const R (&outside)[2], R zero) const {
        return PivotPair<T>(a_(c, c), a_(t, c), a_(t, t), hermitian_, outside, zero);
    }

    void eliminate_null(index_t c, R rest) {
        exchange(k_, c);
        if (null_rest_ != nullptr) null_rest_[k_] = static_cast<double>(rest);
        std::fill(a_.column(k_) + k_, a_.column(k_) + a_.rows, T(0));
        std::fill_n(w_.column(k_ - first_), a_.rows, T(0));
        set_pivot(T(0));
        ++null_;
    }

    void eliminate_one(index_t c, double bound) {
        exchange(k_, c);
        T *x = a_.column(k_), *l_d = w_.column(k_ - first_);
        const T d = x[k_];
        std::copy(x + k_, x + a_.rows, l_d + k_);
        const index_t below = k_ + 1;
        divide_by_pivot(a_.rows - below, l_d + below, x + below, d);
        note(bound);
        set_pivot(d);
    }

    void eliminate_pair(index_t c, index_t t, const PivotPair<T>& pair) {
        exchange(k_, c);
        exchange(k_ + 1, t == k_ ? c : t);
        const index_t slot = k_ - first_;
        for (index_t j = 0; j < 2; ++j)
            std::copy(a_.column(k_ + j) + k_, a_.column(k_ + j) + a_.rows, w_.column(slot + j) + k_);
        T* entries = pivots_ + 2 * k_;
        entries[0] = a_(k_, k_);
        entries[1] = a_(k_ + 1, k_);
        entries[2] = a_(k_ + 1, k_ + 1);
        entries[3] = 0;
        const index_t below = k_ + 2;
        simd::kernels<T>().divide_by_pivots(a_.rows - below, 2, entries, hermitian_, &w_(below, slot), w_.ld,
                                            &a_(below, k_), a_.ld);
        a_(k_, k_) = a_(k_ + 1, k_ + 1) = 1;
        a_(k_ + 1, k_) = 0;
        note(pair.bound);
        k_ += 2;
    }

    /// Every column that is left sees all pivots.
    void finish_block() {
        update_columns_left(applied_, k_, a_.cols, [this](index_t from, index_t begin, index_t width) {
            const index_t n = k_ - from;
            update_transposed<T>(a_.block(k_, from, a_.rows - k_, n), w_.block(begin, from - first_, width, n),
                                 hermitian_, a_.block(k_, begin, a_.rows - k_, width));
        });
        for (index_t j = k_; hermitian_ && j < a_.cols; ++j) a_(j, j) = real_part(a_(j, j));
        first_ = k_;
    }

private:
    T other_side(T x) const { return conjugate_if(hermitian_, x); }

    void mirror() {
        for (index_t j = 0; j < a_.cols; ++j) {
            if (hermitian_) a_(j, j) = real_part(a_(j, j));
            for (index_t i = j + 1; i < a_.cols; ++i) a_(j, i) = other_side(a_(i, j));
        }
    }

    void exchange(index_t k, index_t p) {
        if (k == p) return;
        std::swap(perm_[k], perm_[p]);
        std::swap(applied_[k], applied_[p]);
        std::swap_ranges(a_.column(k), a_.column(k) + a_.rows, a_.column(p));
        for (index_t j = 0; j < a_.cols; ++j) std::swap(a_(k, j), a_(p, j));
        for (index_t j = 0; j < k_ - first_; ++j) std::swap(w_(k, j), w_(p, j));
    }

    void set_pivot(T d) {
        pivots_[2 * k_] = d;
        pivots_[2 * k_ + 1] = 0;
        a_(k_, k_) = 1;
        ++k_;
    }

    void note(double bound) { largest_l_ = std::max(largest_l_, bound); }

    DenseView<T> a_, w_;  // w: L D of the block
    bool hermitian_;
    T* pivots_;
    index_t* perm_;
    double* null_rest_;  // may be null
    index_t* applied_;  // pivots that each column has seen
    index_t k_ = 0, first_ = 0, null_ = 0;
    double largest_l_ = 0;
};

}  // namespace frond::cpu

// SPDX-License-Identifier: BSD-3-Clause
// Threshold pivoting of LDL^T over all fully summed columns (Duff & Reid 1983; the tests of 1x1 and
// 2x2 pivots: Hogg, Ovtchinnikov & Scott 2016, section 2.3, equations 4 to 6). Columns are looked
// at in turn; one that fails waits until all others were looked at.
#pragma once

#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"
#include "second_pass_rule.hpp"
#include "pivot_pair.hpp"

#include <new>
#include <numeric>
#include <utility>

namespace frond::cpu {

template <class T>
class SecondPassLdlt {
public:
    using R = real_t<T>;

    SecondPassLdlt(DenseView<T> a, bool hermitian, const PivotRule& rule, T* pivots, index_t* perm, T* workspace,
                   double* null_rest)
        : a_(a),
          w_{workspace, a.rows, second_pass_block, std::max<index_t>(a.rows, 1)},
          hermitian_(hermitian),
          rule_(rule, largest_threshold),
          pivots_(pivots),
          perm_(perm),
          null_rest_(null_rest) {
        static_assert(sizeof(T) >= sizeof(index_t));
        const auto f = static_cast<std::size_t>(a.cols);
        void* rest = workspace + static_cast<count_t>(a.rows) * second_pass_block;
        applied_ = ::new (rest) index_t[f];
        sizes_ = ::new (static_cast<void*>(workspace + static_cast<count_t>(a.rows) * second_pass_block + a.cols)) R[f];
        std::fill_n(applied_, f, 0);
        std::iota(perm, perm + f, 0);
        if (null_rest != nullptr) std::fill_n(null_rest, f, 0.0);
    }

    SecondPassOutcome run() {
        mirror();
        index_t next = 0;
        while (k_ < a_.cols && search(next))
            if (k_ + 1 - first_ >= second_pass_block) finish_block();
        finish_block();
        return {k_, null_};
    }

    double largest_l() const { return largest_l_; }

private:
    struct Column {
        R diagonal = 0;  // |d|
        LargestOfRows<T> inside;  // off the diagonal, among the fully summed rows
        LargestOfRows<T> outside;

        R size() const { return std::max(inside.size, outside.size); }
    };

    T other_side(T x) const { return conjugate_if(hermitian_, x); }

    void mirror() {
        for (index_t j = 0; j < a_.cols; ++j) {
            if (hermitian_) a_(j, j) = real_part(a_(j, j));
            for (index_t i = j + 1; i < a_.cols; ++i) a_(j, i) = other_side(a_(i, j));
        }
    }

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

    /// Eliminates one pivot; the search goes on at `next`, which is moved. False when no column
    /// allows one.
    bool search(index_t& next) {
        const index_t f = a_.cols, left = f - k_;
        next = std::max(next, k_);
        for (index_t tries = 0; tries < left; ++tries) {
            const index_t c = k_ + (next - k_ + tries) % left;
            if (!try_column(c)) continue;
            next = std::max(c + 1, k_);
            return true;
        }
        next = k_;
        if (try_all_pairs()) return true;
        if (a_.rows > f) return false;
        take_largest();
        return true;
    }

    bool try_column(index_t c) {
        const Column column = bring_up(c);
        const R size = std::max(column.size(), column.diagonal);
        if (!(size > rule_.zero) && all_null(a_.rows - k_, a_.column(c) + k_, rule_.zero)) {
            eliminate_null(c, size);
            return true;
        }
        const double bound = one_bound(column);
        if (bound <= easy_bound) {
            eliminate_one(c, bound);
            return true;
        }
        const index_t t = column.inside.row;
        PivotPair<T> pair;
        if (t >= 0 && column.inside.size > 0) {
            const Column other = bring_up(t);
            pair = make_pair(c, column, t, other);
        }
        const double limit = 1 / rule_.threshold;
        if (!(std::min(bound, pair.bound) <= limit)) return false;
        if (bound <= pair.bound)
            eliminate_one(c, bound);
        else
            eliminate_pair(c, t, pair);
        return true;
    }

    /// Bound on |l| of a 1x1 pivot; infinite when it may not be taken.
    double one_bound(const Column& c) const {
        if (!(c.diagonal > rule_.zero)) return HUGE_VAL;
        return static_cast<double>(c.size()) / static_cast<double>(c.diagonal);
    }

    /// Largest entries of both columns outside of the two rows.
    PivotPair<T> make_pair(index_t c, const Column& first, index_t t, const Column& second) {
        const R outside[2] = {largest_but(c, t, first), largest_but(t, c, second)};
        return PivotPair<T>(a_(c, c), a_(t, c), a_(t, t), hermitian_, outside, rule_.zero);
    }

    R largest_but(index_t c, index_t excluded, const Column& column) {
        if (column.inside.row != excluded) return column.size();
        T* x = a_.column(c);
        const T own = std::exchange(x[c], T(0)), other = std::exchange(x[excluded], T(0));
        LargestOfRows<T> rest;
        reduce_rows(k_, a_.cols, 0, x, a_.ld, x, x, rest);
        x[c] = own;
        x[excluded] = other;
        return std::max(rest.size, column.outside.size);
    }

    /// After every column failed with its largest partner: every pair. Where neither entry e is the
    /// largest of its column, the largest entries are those outside of the pair. As both diagonal
    /// entries failed, |e| >= u times both is necessary.
    bool try_all_pairs() {
        for (index_t c = k_; c < a_.cols; ++c) sizes_[c] = bring_up(c).size();
        for (index_t c = k_; c < a_.cols; ++c)
            for (index_t t = c + 1; t < a_.cols; ++t) {
                const double e = static_cast<double>(abs1(a_(t, c))), u = rule_.threshold;
                if (!(e >= u * static_cast<double>(std::max(sizes_[c], sizes_[t])))) continue;
                const R outside[2] = {sizes_[c], sizes_[t]};
                const PivotPair<T> pair(a_(c, c), a_(t, c), a_(t, t), hermitian_, outside, rule_.zero);
                if (!(pair.bound <= 1 / u)) continue;
                eliminate_pair(c, t, pair);
                return true;
            }
        return false;
    }

    /// No row is left to hand columns to, and what is left is hardly above the null limit (or NaN):
    /// the largest entry becomes the pivot, with its row and column when the pair is regular.
    void take_largest() {
        LargestOfRows<T> best;
        index_t c = k_;
        for (index_t j = k_; j < a_.cols; ++j) {
            LargestOfRows<T> own;
            reduce_rows(k_, a_.rows, 0, a_.data, a_.ld, a_.data, a_.column(j), own);
            if (own.row < 0 || (best.row >= 0 && !(own.size > best.size))) continue;
            best = own;
            c = j;
        }
        const index_t t = best.row < 0 ? c : best.row;
        if (t != c) {
            const R outside[2] = {best.size, best.size};
            const PivotPair<T> pair(a_(c, c), a_(t, c), a_(t, t), hermitian_, outside, 0);
            if (std::isfinite(pair.bound)) return eliminate_pair(c, t, pair);
            if (std::abs(a_(t, t)) > std::abs(a_(c, c))) c = t;
        }
        eliminate_one(c, static_cast<double>(best.size) / static_cast<double>(std::abs(a_(c, c))));
    }

    void exchange(index_t k, index_t p) {
        if (k == p) return;
        std::swap(perm_[k], perm_[p]);
        std::swap(applied_[k], applied_[p]);
        std::swap_ranges(a_.column(k), a_.column(k) + a_.rows, a_.column(p));
        for (index_t j = 0; j < a_.cols; ++j) std::swap(a_(k, j), a_(p, j));
        for (index_t j = 0; j < k_ - first_; ++j) std::swap(w_(k, j), w_(p, j));
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

    void set_pivot(T d) {
        pivots_[2 * k_] = d;
        pivots_[2 * k_ + 1] = 0;
        a_(k_, k_) = 1;
        ++k_;
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

    void note(double bound) { largest_l_ = std::max(largest_l_, bound); }

    /// Every column that is left sees all pivots; columns in the same state together.
    void finish_block() {
        for (index_t begin = k_, end; begin < a_.cols; begin = end) {
            const index_t from = applied_[begin];
            end = begin + 1;
            while (end < a_.cols && applied_[end] == from) ++end;
            const index_t n = k_ - from;
            if (n == 0) continue;
            update_transposed<T>(a_.block(k_, from, a_.rows - k_, n), w_.block(begin, from - first_, end - begin, n),
                                 hermitian_, a_.block(k_, begin, a_.rows - k_, end - begin));
            std::fill(applied_ + begin, applied_ + end, k_);
        }
        for (index_t j = k_; hermitian_ && j < a_.cols; ++j) a_(j, j) = real_part(a_(j, j));
        first_ = k_;
    }

    /// The largest off-diagonal entry makes a 2x2 pivot that passes, where no 1x1 pivot does, for u
    /// up to 1/2; with columns measured by |re| + |im|, up to 0.35.
    static constexpr double largest_threshold = is_complex<T> ? 0.35 : 0.5;
    /// 1x1 pivots with |l| at most this (rook pivoting's bound) need no comparison with a pair.
    static constexpr double easy_bound = 1 / 0.6403882032022076;

    DenseView<T> a_, w_;  // w: L D of the block
    bool hermitian_;
    SecondPassRule<T> rule_;
    T* pivots_;
    index_t* perm_;
    double* null_rest_;  // may be null
    index_t* applied_;  // pivots that each column has seen
    R* sizes_;  // largest entries, for the search over all pairs
    index_t k_ = 0, first_ = 0, null_ = 0;
    double largest_l_ = 0;
};

}  // namespace frond::cpu

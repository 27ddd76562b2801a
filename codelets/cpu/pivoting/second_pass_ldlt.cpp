// SPDX-License-Identifier: BSD-3-Clause
// Threshold pivoting of LDL^T over all fully summed columns (Duff & Reid 1983; the tests of 1x1 and
// 2x2 pivots: Hogg, Ovtchinnikov & Scott 2016, section 2.3, equations 4 to 6). Columns are looked
// at in turn; one that fails waits until all others were looked at.
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"
#include "ldlt_columns.hpp"

#include <algorithm>

namespace frond::cpu {

template <class T>
class SecondPassLdlt {
public:
    using R = real_t<T>;

    SecondPassLdlt(DenseView<T> a, bool hermitian, const PivotRule& rule, T* pivots, index_t* perm, T* workspace,
                   double* null_rest)
        : a_(a), rule_(rule, largest_threshold), columns_(a, hermitian, pivots, perm, workspace, null_rest) {
        const count_t before = static_cast<count_t>(a.rows) * second_pass_block + a.cols;  // of the columns
        sizes_ = ::new (static_cast<void*>(workspace + before)) R[static_cast<std::size_t>(a.cols)];
    }

    SecondPassOutcome run() {
        index_t next = 0;
        while (columns_.eliminated() < a_.cols && search(next))
            if (columns_.block_is_full()) columns_.finish_block();
        columns_.finish_block();
        return columns_.outcome();
    }

    double largest_l() const { return columns_.largest_l(); }

private:
    using Column = typename LdltColumns<T>::Column;

    /// Eliminates one pivot; the search goes on at `next`, which is moved. False when no column
    /// allows one.
    bool search(index_t& next) {
        const index_t f = a_.cols, k = columns_.eliminated(), left = f - k;
        next = std::max(next, k);
        for (index_t tries = 0; tries < left; ++tries) {
            const index_t c = k + (next - k + tries) % left;
            if (!try_column(c)) continue;
            next = std::max(c + 1, columns_.eliminated());
            return true;
        }
        next = k;
        if (try_all_pairs()) return true;
        if (a_.rows > f) return false;
        take_largest();
        return true;
    }

    bool try_column(index_t c) {
        const index_t k = columns_.eliminated();
        const Column column = columns_.bring_up(c);
        const R size = std::max(column.size(), column.diagonal);
        if (!(size > rule_.zero) && all_null(a_.rows - k, a_.column(c) + k, rule_.zero)) {
            columns_.eliminate_null(c, size);
            return true;
        }
        const double bound = one_bound(column);
        if (bound <= easy_bound) {
            columns_.eliminate_one(c, bound);
            return true;
        }
        const index_t t = column.inside.row;
        PivotPair<T> pair;
        if (t >= 0 && column.inside.size > 0) {
            const Column other = columns_.bring_up(t);
            pair = make_pair(c, column, t, other);
        }
        const double limit = 1 / rule_.threshold;
        if (!(std::min(bound, pair.bound) <= limit)) return false;
        if (bound <= pair.bound)
            columns_.eliminate_one(c, bound);
        else
            columns_.eliminate_pair(c, t, pair);
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
        return columns_.pair_of(c, t, outside, rule_.zero);
    }

    R largest_but(index_t c, index_t excluded, const Column& column) {
        if (column.inside.row != excluded) return column.size();
        T* x = a_.column(c);
        const T own = std::exchange(x[c], T(0)), other = std::exchange(x[excluded], T(0));
        LargestOfRows<T> rest;
        reduce_rows(columns_.eliminated(), a_.cols, 0, x, a_.ld, x, x, rest);
        x[c] = own;
        x[excluded] = other;
        return std::max(rest.size, column.outside.size);
    }

    /// After every column failed with its largest partner: every pair. Where neither entry e is the
    /// largest of its column, the largest entries are those outside of the pair. As both diagonal
    /// entries failed, |e| >= u times both is necessary.
    bool try_all_pairs() {
        const index_t k = columns_.eliminated();
        for (index_t c = k; c < a_.cols; ++c) sizes_[c] = columns_.bring_up(c).size();
        for (index_t c = k; c < a_.cols; ++c)
            for (index_t t = c + 1; t < a_.cols; ++t) {
                const double e = static_cast<double>(abs1(a_(t, c))), u = rule_.threshold;
                if (!(e >= u * static_cast<double>(std::max(sizes_[c], sizes_[t])))) continue;
                const R outside[2] = {sizes_[c], sizes_[t]};
                const PivotPair<T> pair = columns_.pair_of(c, t, outside, rule_.zero);
                if (!(pair.bound <= 1 / u)) continue;
                columns_.eliminate_pair(c, t, pair);
                return true;
            }
        return false;
    }

    /// No row is left to hand columns to, and what is left is hardly above the null limit (or NaN):
    /// the largest entry becomes the pivot, with its row and column when the pair is regular.
    void take_largest() {
        LargestOfRows<T> best;
        const index_t k = columns_.eliminated();
        index_t c = k;
        for (index_t j = k; j < a_.cols; ++j) {
            LargestOfRows<T> own;
            reduce_rows(k, a_.rows, 0, a_.data, a_.ld, a_.data, a_.column(j), own);
            if (own.row < 0 || (best.row >= 0 && !(own.size > best.size))) continue;
            best = own;
            c = j;
        }
        const index_t t = best.row < 0 ? c : best.row;
        if (t != c) {
            const R outside[2] = {best.size, best.size};
            const PivotPair<T> pair = columns_.pair_of(c, t, outside, 0);
            if (std::isfinite(pair.bound)) return columns_.eliminate_pair(c, t, pair);
            if (std::abs(a_(t, t)) > std::abs(a_(c, c))) c = t;
        }
        columns_.eliminate_one(c, static_cast<double>(best.size) / static_cast<double>(std::abs(a_(c, c))));
    }

    /// The largest off-diagonal entry makes a 2x2 pivot that passes, where no 1x1 pivot does, for u
    /// up to 1/2; with columns measured by |re| + |im|, up to 0.35.
    static constexpr double largest_threshold = is_complex<T> ? 0.35 : 0.5;
    /// 1x1 pivots with |l| at most this (rook pivoting's bound) need no comparison with a pair.
    static constexpr double easy_bound = 1 / 0.6403882032022076;

    DenseView<T> a_;
    SecondPassRule<T> rule_;
    LdltColumns<T> columns_;
    R* sizes_;  // largest entries, for the search over all pairs
};

// Second pass of LDL^T. Columns are held in full (both triangles) and each knows how many pivots of
// the current block were applied to it: a candidate is brought up to date when it is looked at, the
// others by products after the block. So a column that fails costs no more than one that passes.

template <class T>
SecondPassOutcome factor_second_pass_ldlt(DenseView<T> a, bool hermitian, const PivotRule& rule, T* pivots,
                                          index_t* perm, T* workspace, PivotReport& report, double* null_rest) {
    SecondPassLdlt<T> elimination(a, hermitian && is_complex<T>, rule, pivots, perm, workspace, null_rest);
    const SecondPassOutcome outcome = elimination.run();
    report.largest_l = std::max(report.largest_l, elimination.largest_l());
    const auto kind = hermitian ? Factorization::ldlh : Factorization::ldlt;
    count_pivots<T>(kind, outcome.kept, a, pivots, report);
    return outcome;
}

count_t factor_second_pass_ldlt_workspace(index_t f, index_t r) {
    return static_cast<count_t>(f + r) * second_pass_block + 2 * static_cast<count_t>(f);
}

#define FROND_INSTANTIATE(T)                                                                                      \
    template SecondPassOutcome factor_second_pass_ldlt<T>(DenseView<T>, bool, const PivotRule&, T*, index_t*, T*, \
                                                          PivotReport&, double*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

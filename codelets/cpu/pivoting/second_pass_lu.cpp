// SPDX-License-Identifier: BSD-3-Clause
// Threshold partial pivoting by columns over all fully summed rows (Duff, Erisman & Reid 2017,
// section 5.2). As in ldlt_columns.hpp each column knows what was applied to it; the other columns
// of the rows, b, follow at the end.
#include "../block_steps.hpp"
#include "../permute_rows.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"
#include "second_pass_rule.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

namespace frond::cpu {

template <class T>
class SecondPassLu {
public:
    using R = real_t<T>;

    SecondPassLu(DenseView<T> a, DenseView<T> b, index_t r, const PivotRule& rule, index_t* row_perm,
                 index_t* column_perm, T* workspace, double* null_rest)
        : a_(a),
          b_(b),
          m_(a.rows - r),
          end_(a.cols),
          rule_(rule, 1),
          row_perm_(row_perm),
          column_perm_(column_perm),
          null_rest_(null_rest) {
        static_assert(sizeof(T) >= sizeof(index_t));
        applied_ = ::new (static_cast<void*>(workspace)) index_t[static_cast<std::size_t>(a.cols)];
        swaps_ = ::new (static_cast<void*>(workspace + a.cols)) index_t[static_cast<std::size_t>(std::min(m_, a.cols))];
        std::fill_n(applied_, a.cols, 0);
        std::iota(row_perm, row_perm + m_, 0);
        std::iota(column_perm, column_perm + a.cols, 0);
        if (null_rest != nullptr) std::fill_n(null_rest, a.cols, 0.0);
    }

    SecondPassOutcome run() {
        index_t next = 0;
        while (k_ < end_ && search(next))
            if (k_ - first_ == second_pass_block) finish_block();
        finish_block();
        finish_other_columns();
        const index_t null = a_.cols - end_;
        bring_null_forward();
        return {k_, null};
    }

    double largest_l() const { return largest_l_; }

private:
    struct Column {
        LargestOfRows<T> inside, outside;  // of the rows that may, and may not, be pivots
    };

    /// Subtracts the pivots that column c has not seen: first their rows of U, then the rest.
    Column bring_up(index_t c) {
        const index_t from = applied_[c], n = k_ - from;
        T* x = a_.column(c);
        T u[second_pass_block];
        if (n > 0) {
            const T* l = &a_(from, from);
            simd::kernels<T>().left_solve_unit_lower(n, 1, l, a_.ld, x + from, a_.ld);
            std::copy_n(x + from, n, u);
        }
        Column column;
        reduce_rows(k_, m_, n, a_.column(from), a_.ld, u, x, column.inside);
        reduce_rows(m_, a_.rows, n, a_.column(from), a_.ld, u, x, column.outside);
        applied_[c] = k_;
        return column;
    }

    /// Eliminates one pivot or sets one null column aside; the search goes on at `next`, which is
    /// moved. False when no column allows it.
    bool search(index_t& next) {
        const index_t left = end_ - k_;
        next = std::max(next, k_);
        for (index_t tries = 0; tries < left; ++tries) {
            const index_t c = k_ + (next - k_ + tries) % left;
            const index_t pivots = k_;
            if (!try_column(c)) continue;
            next = k_ > pivots ? c + 1 : c;
            return true;
        }
        return false;
    }

    bool try_column(index_t c) {
        const Column column = bring_up(c);
        const R inside = column.inside.size, outside = column.outside.size;
        if (!(std::max(inside, outside) > rule_.zero) && all_null(a_.rows - k_, a_.column(c) + k_, rule_.zero)) {
            set_aside(c, std::max(inside, outside));
            return true;
        }
        if (k_ == m_) return false;
        const index_t p = column.inside.row;
        if (p < 0) return a_.rows == m_ && eliminate(c, k_, HUGE_VAL);  // NaN, and no other rows
        const double size = static_cast<double>(std::abs(a_(p, c)));
        const double bound = static_cast<double>(std::max(inside, outside)) / size;
        const bool passes = a_.rows == m_ || (inside > rule_.zero && bound * rule_.threshold <= 1);
        return passes && eliminate(c, p, bound);
    }

    void set_aside(index_t c, R rest) {
        std::fill(a_.column(c) + k_, a_.column(c) + a_.rows, T(0));
        if (null_rest_ != nullptr) null_rest_[c] = static_cast<double>(rest);
        exchange_columns(c, --end_);
    }

    bool eliminate(index_t c, index_t p, double bound) {
        exchange_columns(k_, c);
        swaps_[k_] = p;
        if (p != k_) {
            std::swap(row_perm_[k_], row_perm_[p]);
            for (index_t j = 0; j < a_.cols; ++j) std::swap(a_(k_, j), a_(p, j));
        }
        T* below = a_.column(k_) + k_ + 1;
        divide_by_pivot(a_.rows - k_ - 1, below, below, a_(k_, k_));
        largest_l_ = std::max(largest_l_, bound);
        ++k_;
        return true;
    }

    void exchange_columns(index_t c, index_t d) {
        if (c == d) return;
        std::swap(column_perm_[c], column_perm_[d]);
        std::swap(applied_[c], applied_[d]);
        if (null_rest_ != nullptr) std::swap(null_rest_[c], null_rest_[d]);
        std::swap_ranges(a_.column(c), a_.column(c) + a_.rows, a_.column(d));
    }

    /// Every column that is left sees all pivots.
    void finish_block() {
        update_columns_left(applied_, k_, end_, [this](index_t from, index_t begin, index_t width) {
            const index_t n = k_ - from;
            const auto u = a_.block(from, begin, n, width);
            solve_left_lower<T>(a_.block(from, from, n, n), true, u);
            update_general<T>(a_.block(k_, from, a_.rows - k_, n), u, a_.block(k_, begin, a_.rows - k_, width));
        });
        first_ = k_;
    }

    void finish_other_columns() {
        if (k_ == 0 || b_.cols == 0) return;
        swap_rows(b_, 0, swaps_, k_);
        const auto u = b_.block(0, 0, k_, b_.cols);
        solve_left_lower<T>(a_.block(0, 0, k_, k_), true, u);
        update_general<T>(a_.block(k_, 0, m_ - k_, k_), u, b_.block(k_, 0, m_ - k_, b_.cols));
    }

    /// kept ..., left over ..., null ... to kept ..., null ..., left over ...
    void bring_null_forward() {
        const index_t count = std::min(end_ - k_, a_.cols - end_);
        for (index_t i = 0; i < count; ++i) exchange_columns(k_ + i, a_.cols - 1 - i);
    }

    DenseView<T> a_, b_;
    index_t m_, end_;  // rows that may be pivots; columns end_ .. are null
    SecondPassRule<T> rule_;
    index_t *row_perm_, *column_perm_;
    double* null_rest_;  // of columns 0 .. a_.cols; may be null
    index_t* applied_;  // pivots that each column has seen
    index_t* swaps_;
    index_t k_ = 0, first_ = 0;
    double largest_l_ = 0;
};

template <class T>
SecondPassOutcome factor_second_pass_lu(DenseView<T> a, DenseView<T> b, index_t r, const PivotRule& rule,
                                        index_t* row_perm, index_t* column_perm, T* workspace, PivotReport& report,
                                        double* null_rest) {
    SecondPassLu<T> elimination(a, b, r, rule, row_perm, column_perm, workspace, null_rest);
    const SecondPassOutcome outcome = elimination.run();
    report.largest_l = std::max(report.largest_l, elimination.largest_l());
    report.zero += outcome.null;
    count_pivots<T>(Factorization::lu, outcome.kept, a, nullptr, report);
    return outcome;
}

count_t factor_second_pass_lu_workspace(index_t m, index_t, index_t f, index_t) {
    return static_cast<count_t>(f) + std::min(m, f);
}

#define FROND_INSTANTIATE(T)                                                                                   \
    template SecondPassOutcome factor_second_pass_lu<T>(DenseView<T>, DenseView<T>, index_t, const PivotRule&, \
                                                        index_t*, index_t*, T*, PivotReport&, double*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

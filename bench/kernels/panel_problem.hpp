// SPDX-License-Identifier: BSD-3-Clause
// A factored panel and failed columns beside it, for accept_pivots on a core and on a card.
#pragma once

#include "frond/cpu/kernels.hpp"
#include "frond/cpu/failed_columns.hpp"
#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace frond::bench {

inline constexpr index_t first_failed_position = 1 << 20;

inline PivotRule threshold_rule() {
    PivotRule rule;
    rule.threshold = 0.01;
    rule.smallest_pivot = 1;
    return rule;
}

inline std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

inline std::vector<index_t> positions(index_t count) {
    std::vector<index_t> list(at(count));
    std::iota(list.begin(), list.end(), first_failed_position);
    return list;
}

/// A panel of n columns over one tile of n rows, factored; and f failed columns beside it.
template <class T>
struct PanelProblem {
    PanelProblem(bool is_symmetric, index_t panel_columns, index_t f)
        : symmetric(is_symmetric),
          n(panel_columns),
          diagonal(random_block<T>(n, n, 4.0 * n)),
          left(random_block<T>(n, n, 0, 2)),
          spare(left),
          upper(random_block<T>(n, n, 0, 3)),
          perm(at(n)),
          pivots(2 * at(n)),
          replaced(at(n)),
          failed(n, n) {
        for (index_t j = 0; j < n && symmetric; ++j)
            for (index_t i = 0; i < j; ++i) diagonal.view()(i, j) = diagonal.view()(j, i);
        factor();
        failed.append(symmetric, positions(f), positions(f));
        unsigned seed = 5;
        for (auto* block : {&failed.own_rows, &failed.own_columns, &failed.square, &failed.below, &failed.right}) {
            const auto count = static_cast<index_t>(block->size());
            const auto random = random_block<T>(count, 1, 0, seed++);
            block->assign(random.values.begin(), random.values.begin() + count);
        }
        start = failed;
    }

    Factorization kind() const { return symmetric ? Factorization::ldlt : Factorization::lu; }

    void factor() {
        PivotReport unused;
        std::vector<T> work(at(std::max(
            {cpu::factor_ldlt_workspace(n), cpu::factor_lu_workspace(n), cpu::solve_panel_lu_upper_workspace(n, n)})));
        if (symmetric) {
            cpu::factor_ldlt<T>(diagonal.view(), false, threshold_rule(), pivots.data(), perm.data(), work.data(),
                                unused, replaced.data());
            cpu::solve_panel_ldlt<T>(diagonal.view(), false, pivots.data(), perm.data(), left.view(), spare.view());
            return;
        }
        cpu::factor_lu<T>(diagonal.view(), threshold_rule(), perm.data(), work.data(), unused, replaced.data());
        cpu::solve_panel_lu_lower<T>(diagonal.view(), left.view());
        cpu::solve_panel_lu_upper<T>(diagonal.view(), perm.data(), upper.view(), work.data());
    }

    index_t accept() {
        cpu::FactoredPanel<T> panel;
        panel.diagonal = diagonal.view();
        panel.perm = perm.data();
        panel.pivots = pivots.data();
        panel.replaced = replaced.data();
        panel.tiles.push_back(
            {n, left.view(), spare.view(), symmetric ? DenseView<T>{nullptr, n, 0, n} : upper.view()});
        PivotReport report;
        return cpu::accept_pivots(kind(), threshold_rule(), n, panel, failed, report);
    }

    /// Row sums of A(F, F) - A(F, own) A(own, own)^-1 A(own, F), by the factors, against those found.
    double error() {
        const index_t f = start.cols();
        Block<T> z(n, 1), none(0, 1);
        const auto own_rows = start.own_rows_view();
        for (index_t k = 0; k < n; ++k)
            for (index_t j = 0; j < f; ++j)
                z.view()(k, 0) += symmetric ? own_rows(j, k) : start.own_columns_view()(k, j);
        cpu::forward_front<T>(kind(), diagonal.view(), perm.data(), z.view(), none.view());
        cpu::diagonal_front<T>(kind(), pivots.data(), z.view());
        cpu::backward_front<T>(kind(), diagonal.view(), {nullptr, n, 0, n}, perm.data(), none.view(), z.view());
        double worst = 0;
        for (index_t i = 0; i < f; ++i) {
            T sum = 0;
            for (index_t k = 0; k < n; ++k) sum -= own_rows(i, k) * z.view()(k, 0);
            for (index_t j = 0; j < f; ++j) {
                const bool mirrored = symmetric && i < j;
                sum += mirrored ? start.square_view()(j, i) : start.square_view()(i, j);
                sum -= mirrored ? failed.square_view()(j, i) : failed.square_view()(i, j);
            }
            worst = std::max<double>(worst, std::abs(sum));
        }
        return worst;
    }

    bool symmetric;
    index_t n;
    Block<T> diagonal, left, spare, upper;
    std::vector<index_t> perm;
    std::vector<T> pivots, replaced;
    cpu::FailedColumns<T> failed, start;
};

}  // namespace frond::bench

// SPDX-License-Identifier: BSD-3-Clause
// What must hold of a subtree factored by threshold pivoting, whatever the matrix.
#pragma once

#include "determinant_oracle.hpp"
#include "subtree_problem.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace frond::test {

/// Thresholds of a matrix with entries <= scale: null below 100 eps scale.
template <class T>
PivotRule threshold_rule(double u, double scale = 1) {
    PivotRule rule;
    rule.threshold = u;
    rule.smallest_pivot = scale;
    rule.zero_pivot = 100 * epsilon<T>() * scale;
    return rule;
}

inline std::vector<KindCase> threshold_cases() {
    return {{Factorization::lu, Symmetry::general, "lu"},
            {Factorization::lu, Symmetry::symmetric, "lu of a symmetric matrix"},
            {Factorization::ldlt, Symmetry::symmetric, "ldlt"},
            {Factorization::ldlh, Symmetry::hermitian, "ldlh"}};
}

/// max |l_ij| of a front in the chunk.
template <class T>
double largest_of_panel(DenseView<const T> panel) {
    double largest = 0;
    for (index_t j = 0; j < panel.cols; ++j)
        for (index_t i = j + 1; i < panel.rows; ++i)
            largest = std::max(largest, static_cast<double>(std::abs(panel(i, j))));
    return largest;
}

/// |l_ij| <= 1 / u in all fronts; 2.78 where the rook search of a block bounds it instead.
template <class T>
void check_multipliers(FactoredSubtree<T>& factors, const AssemblyTree& tree, Factorization kind, double u) {
    const double bound = std::max(1 / u, 2.79) * (1 + 16 * epsilon<T>());
    const T* part = factors.factor();
    double largest_below = 0;  // the rows below the pivots
    for (const Front& front : tree.fronts) {
        const FrontPanels at = front_panels(front, kind);
        const DenseView<const T> panel{part + at.panel, front.nfront, front.npiv, front.nfront};
        CHECK(largest_of_panel<T>(panel) <= bound);
        for (index_t j = 0; j < front.npiv; ++j)
            for (index_t i = front.npiv; i < front.nfront; ++i)
                largest_below = std::max(largest_below, static_cast<double>(std::abs(panel(i, j))));
        part += at.size;
    }
    CHECK(factors.report.largest_l * (1 + 16 * epsilon<T>()) >= largest_below);
    if (factors.second_passes.fronts.empty())
        CHECK(factors.report.largest_l <= largest_below * (is_complex<T> ? 1.4143 : 1) * (1 + 16 * epsilon<T>()));
    for (const auto& hard : factors.second_passes.fronts) {
        const auto& l = hard.second_pass;
        const index_t height = l.rows() + l.ncb;
        const double largest = largest_of_panel<T>({l.panel.data(), height, l.kept, height});
        CHECK(largest <= bound);
        CHECK(factors.report.largest_l * (1 + 16 * epsilon<T>()) >= largest);
    }
}

/// The columns that the fronts with failed pivots finish, and their positions for rows: each position of their own
/// columns once, less those handed to a parent of the subtree.
template <class T>
void check_positions(const cpu::SubtreeSecondPasses<T>& second_passes, const AssemblyTree& tree, Factorization kind) {
    std::vector<index_t> expected, columns, rows;
    index_t last = -1;
    for (const auto& hard : second_passes.fronts) {
        CHECK(hard.front > last);
        last = hard.front;
        const Front& front = tree.fronts[static_cast<std::size_t>(hard.front)];
        for (index_t k = 0; k < front.npiv; ++k) expected.push_back(front.first_column + k);
        const auto& l = hard.second_pass;
        const auto& after = kind == Factorization::lu ? l.row_position_after : l.row_position;
        columns.insert(columns.end(), l.column_position.begin(), l.column_position.begin() + l.kept + l.null_columns);
        rows.insert(rows.end(), after.begin(), after.begin() + l.kept + l.null_rows);
        for (index_t k = 0; k < l.kept; ++k) CHECK(after[k] == l.column_position[k]);
    }
    const auto& out = second_passes.delayed;
    columns.insert(columns.end(), out.column_position.begin(), out.column_position.end());
    rows.insert(rows.end(), out.row_position.begin(), out.row_position.end());
    std::sort(columns.begin(), columns.end());
    std::sort(rows.begin(), rows.end());
    CHECK(columns == expected);
    CHECK(rows == expected);
}

template <class T>
bool has_inertia(Factorization kind) {
    return kind == Factorization::ldlh || (kind == Factorization::ldlt && !is_complex<T>);
}

/// max_k ||op(B) x_k - b_k||_inf / (||op(B)||_inf ||x_k||_inf + ||b_k||_inf)
template <class T>
double worst_backward_error(const DenseMatrix& b, DenseView<T> x, const DenseMatrix& rhs) {
    double worst = 0;
    const double norm = row_sum_norm(b);
    for (index_t k = 0; k < x.cols; ++k) {
        const DenseMatrix xk = widened(x.block(0, k, x.rows, 1));
        std::vector<index_t> all(static_cast<std::size_t>(rhs.rows));
        std::iota(all.begin(), all.end(), 0);
        const DenseMatrix bk = submatrix(rhs, all, {k});
        const double residual = largest(multiply_add(-1, b, xk, bk));
        const double error = residual == 0 ? 0 : residual / (norm * largest(xk) + largest(bk));
        worst = !(error <= worst) ? error : worst;
    }
    return worst;
}

/// Solves op(B) X = op(B) X0, which is consistent for a singular B, too; the backward error.
template <class T>
double consistent_solve_error(FactoredSubtree<T>& factors, const DenseMatrix& b, Operation op, index_t nrhs) {
    const DenseMatrix ob = apply_operation(b, op);
    const RandomBlock<T> x(b.rows, nrhs, 5);
    const DenseMatrix rhs = multiply_add(1, ob, widened(x.view), DenseMatrix(b.rows, nrhs));
    for (index_t k = 0; k < nrhs; ++k)
        for (index_t i = 0; i < b.rows; ++i)
            if constexpr (is_complex<T>)
                x.view(i, k) = T(static_cast<real_t<T>>(rhs(i, k).real()), static_cast<real_t<T>>(rhs(i, k).imag()));
            else
                x.view(i, k) = static_cast<T>(rhs(i, k).real());
    const DenseView<T> y{nullptr, 0, nrhs, 1};
    factors.forward(op, x.view, y);
    factors.diagonal(op, x.view);
    factors.backward(op, x.view, y.as_const());
    return worst_backward_error(ob, x.view, rhs);
}

struct HardOutcome {
    count_t delayed = 0;
    count_t fronts_with_failed_pivots = 0;
};

/// Factors the whole tree and checks solves, inertia, |l_ij|, positions. `growth` bounds the entries of
/// the factors relative to those of A (Higham 2002, theorems 9.4 and 11.4).
template <class T>
HardOutcome check_hard_system(const SparseMatrix<T>& a, const KindCase& c, const std::vector<index_t>& sizes, double u,
                              double growth = 30, index_t nullity = 0) {
    const Analysis analysis = simple_analysis(a.pattern, c.symmetry, c.kind, sizes);
    const DenseMatrix b = permuted(dense(a), analysis.row_order, analysis.column_order);
    FactoredSubtree<T> factors(a, analysis, whole_tree(analysis.tree), threshold_rule<T>(u, largest(b)));
    CHECK(factors.report.perturbed == 0);
    CHECK(factors.report.zero == nullity);
    if (has_inertia<T>(c.kind)) {
        const Inertia inertia = dense_inertia(b, 1e5 * epsilon<double>());
        CHECK(factors.report.negative == inertia.negative);
        CHECK(factors.report.positive == inertia.positive);
        CHECK(factors.report.zero == inertia.zero);
    }
    const double bound = 3 * a.rows() * (is_complex<T> ? 8 : 2) * growth * epsilon<T>();
    for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint})
        for (const index_t nrhs : {1, 4}) {
            CAPTURE(static_cast<int>(op));
            CAPTURE(nrhs);
            CHECK(consistent_solve_error(factors, b, op, nrhs) <= bound);
        }
    check_multipliers(factors, analysis.tree, c.kind, u);
    check_positions(factors.second_passes, analysis.tree, c.kind);
    CHECK(factors.second_passes.delayed.empty());
    CHECK(factors.intact());
    return {factors.report.delayed, static_cast<count_t>(factors.second_passes.fronts.size())};
}

}  // namespace frond::test

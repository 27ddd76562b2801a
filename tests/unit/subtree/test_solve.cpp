// SPDX-License-Identifier: BSD-3-Clause
// The whole tree as one subtree: factor, then op(A) X = B.
#include "scalar_lists.hpp"
#include "subtree_problem.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

const std::vector<std::vector<index_t>> front_size_lists = {{1}, {3, 1, 7, 2}, {40}};

/// max_k ||op(B) x_k - b_k||_inf / (||op(B)||_inf ||x_k||_inf + ||b_k||_inf), in extended
/// precision.
template <class T>
double backward_error(const DenseMatrix& b, DenseView<T> x, DenseView<T> rhs) {
    double worst = 0;
    const double norm = row_sum_norm(b);
    for (index_t k = 0; k < x.cols; ++k) {
        const DenseMatrix xk = widened(x.block(0, k, x.rows, 1));
        const DenseMatrix bk = widened(rhs.block(0, k, rhs.rows, 1));
        const double error = largest(multiply_add(-1, b, xk, bk)) / (norm * largest(xk) + largest(bk));
        worst = !(error <= worst) ? error : worst;
    }
    return worst;
}

/// Backward error of a solve with factors of entries <= `growth` (Higham 2002,
/// theorems 9.4, 10.4, 11.4): 3 n multiply-adds an entry, 8 eps each in complex arithmetic.
template <class T>
double bound(index_t n, double growth) {
    return 3 * n * (is_complex<T> ? 8 : 2) * growth * static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
}

template <class T>
void check_solves(const SparseMatrix<T>& a, const Analysis& analysis, double growth) {
    FactoredSubtree<T> factors(a, analysis, whole_tree(analysis.tree));
    CHECK(factors.report.failed_column == -1);
    const DenseMatrix b = permuted(dense(a), analysis.row_order, analysis.column_order);
    for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint})
        for (const index_t nrhs : {1, 3, 17}) {
            CAPTURE(static_cast<int>(op));
            CAPTURE(nrhs);
            const RandomBlock<T> rhs(analysis.order, nrhs, 5), x(analysis.order, nrhs, 5);
            const DenseView<T> y{nullptr, 0, nrhs, 1};
            factors.forward(op, x.view, y);
            factors.diagonal(op, x.view);
            factors.backward(op, x.view, y.as_const());
            const double error = backward_error(apply_operation(b, op), x.view, rhs.view);
            CHECK(error <= bound<T>(analysis.order, growth));
        }
    CHECK(factors.intact());
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("solves of dominant matrices, every kind, operation and cut", T, dominant_solves) {
    for (const KindCase& c : kind_cases<T>())
        for (const auto& sizes : front_size_lists) {
            CAPTURE(c.name);
            CAPTURE(sizes.size());
            const SparseMatrix<T> a = dominant_matrix<T>(c, 9, 11);
            check_solves(a, simple_analysis(a.pattern, c.symmetry, c.kind, sizes), 2);
        }
}

TEST_CASE_TEMPLATE_APPLY(dominant_solves, Scalars);

TEST_CASE_TEMPLATE_DEFINE("solves of random sparse matrices with an irregular tree", T, irregular_solves) {
    for (const KindCase& c : kind_cases<T>())
        for (const index_t per_column : {0, 1, 2}) {
            CAPTURE(c.name);
            CAPTURE(per_column);
            const SparseMatrix<T> a = random_sparse<T>(60, per_column, c.symmetry, true, 3);
            check_solves(a, simple_analysis(a.pattern, c.symmetry, c.kind, {1, 2, 4}), 2);
        }
}

TEST_CASE_TEMPLATE_APPLY(irregular_solves, Scalars);

TEST_CASE_TEMPLATE_DEFINE("one front with pivoting over all of it", T, one_pivoting_front) {
    for (const KindCase& c : kind_cases<T>()) {
        if (c.kind == Factorization::llt) continue;
        CAPTURE(c.name);
        const SparseMatrix<T> a = random_sparse<T>(70, 12, c.symmetry, false, 21);
        check_solves(a, simple_analysis(a.pattern, c.symmetry, c.kind, {70}), 30);
    }
}

TEST_CASE_TEMPLATE_APPLY(one_pivoting_front, Scalars);

namespace {

/// 2x2 blocks (0, b; b, 0) on the diagonal, dominant in their rows and columns: every front must
/// swap rows (LU) or take 2x2 pivots (LDL^T, LDL^H).
template <class T>
SparseMatrix<T> paired_matrix(index_t pairs, Symmetry symmetry, std::uint64_t seed) {
    Random random(seed);
    EntryTable<T> table;
    const index_t n = 2 * pairs;
    for (index_t k = 0; k < 3 * n; ++k) {
        index_t i = random.below(n), j = random.below(n);
        if (i / 2 == j / 2) continue;
        if (symmetry != Symmetry::general && i < j) std::swap(i, j);
        table[{j, i}] = random.value<T>();
    }
    for (index_t p = 0; p < pairs; ++p) {
        const T b = T(static_cast<real_t<T>>(40)) + random.value<T>();
        table[{2 * p, 2 * p + 1}] = b;
        if (symmetry == Symmetry::general) table[{2 * p + 1, 2 * p}] = b;
        table[{2 * p, 2 * p}] = table[{2 * p + 1, 2 * p + 1}] = T(0);
    }
    return from_table(n, table, symmetry);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("fronts that pivot: zero diagonals in dominant 2x2 blocks", T, pivoting_fronts) {
    for (const KindCase& c : kind_cases<T>()) {
        if (c.kind == Factorization::llt) continue;
        CAPTURE(c.name);
        const SparseMatrix<T> a = paired_matrix<T>(40, c.symmetry, 9);
        const Analysis analysis = simple_analysis(a.pattern, c.symmetry, c.kind, {2, 4, 2, 8});
        check_solves(a, analysis, 4);
        FactoredSubtree<T> factors(a, analysis, whole_tree(analysis.tree));
        if (c.kind != Factorization::lu) CHECK(factors.report.two_by_two == 40);
        CHECK(factors.report.perturbed == 0);
    }
}

TEST_CASE_TEMPLATE_APPLY(pivoting_fronts, Scalars);

TEST_CASE("a diagonal matrix is a bundle of one-column roots") {
    const SparseMatrix<double> a = random_sparse<double>(20, 0, Symmetry::symmetric, true, 2);
    const Analysis analysis = simple_analysis(a.pattern, a.symmetry, Factorization::llt);
    REQUIRE(analysis.tree.front_count() == 20);
    for (const Front& front : analysis.tree.fronts) REQUIRE(front.parent == -1);
    check_solves(a, analysis, 1);
}

TEST_CASE("no right-hand sides: nothing to do, nothing touched") {
    const SparseMatrix<double> a = random_grid<double>(4, Symmetry::general, true, 2);
    const Analysis analysis = simple_analysis(a.pattern, a.symmetry, Factorization::lu, {2});
    FactoredSubtree<double> factors(a, analysis, whole_tree(analysis.tree));
    const DenseView<double> x{nullptr, 16, 0, 16}, y{nullptr, 0, 0, 1};
    for (const Operation op : {Operation::none, Operation::transpose}) {
        factors.forward(op, x, y);
        factors.diagonal(op, x);
        factors.backward(op, x, y.as_const());
    }
    CHECK(factors.intact());
}

// SPDX-License-Identifier: BSD-3-Clause
// What factor_subtree reports, and when it stops.
#include "scalar_lists.hpp"
#include "subtree_problem.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
T& diagonal_entry(SparseMatrix<T>& a, index_t j) {
    for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];; ++e)
        if (a.pattern.row[static_cast<std::size_t>(e)] == j) return a.value[static_cast<std::size_t>(e)];
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("not positive definite: the first bad column as a global position", T, first_bad_column) {
    for (const index_t bad : {0, 13, 35})
        for (const std::vector<index_t>& sizes : std::vector<std::vector<index_t>>{{1}, {4}, {36}}) {
            SparseMatrix<T> a = random_grid<T>(6, Symmetry::hermitian, true, 4);
            const Analysis analysis = simple_analysis(a.pattern, a.symmetry, Factorization::llt, sizes);
            diagonal_entry(a, analysis.row_order[static_cast<std::size_t>(bad)]) = T(-1);
            FactoredSubtree<T> factors(a, analysis, whole_tree(analysis.tree));
            CHECK(factors.report.failed_column == bad);
            CHECK(factors.intact());
        }
}

TEST_CASE_TEMPLATE_APPLY(first_bad_column, Scalars);

TEST_CASE("the column is global in a subtree that does not start at column 0") {
    SparseMatrix<double> a = random_sparse<double>(40, 0, Symmetry::symmetric, true, 4);
    const Analysis analysis = simple_analysis(a.pattern, a.symmetry, Factorization::llt, {3});
    diagonal_entry(a, analysis.row_order[25]) = 0.0;
    FactoredSubtree<double> factors(a, analysis, {5, 10, 0, 0, 0});
    CHECK(factors.report.failed_column == 25);
    CHECK(factors.intact());
}

TEST_CASE("inertia and log determinant of a subtree") {
    const KindCase c{Factorization::ldlt, Symmetry::symmetric, "ldlt"};
    const SparseMatrix<double> a = dominant_matrix<double>(c, 7, 2);
    const Analysis analysis = simple_analysis(a.pattern, c.symmetry, c.kind, {1, 5, 2});
    FactoredSubtree<double> factors(a, analysis, whole_tree(analysis.tree));
    // Dominant rows: Gershgorin's discs keep the signs of the diagonal; every third is negative.
    CHECK(factors.report.negative == 17);
    CHECK(factors.report.positive == 32);
    CHECK(factors.report.zero == 0);
    const Analysis one = simple_analysis(a.pattern, c.symmetry, Factorization::lu, {49});
    FactoredSubtree<double> reference(a, one, whole_tree(one.tree));
    // 49 dominant pivots of sums of at most 49 terms.
    CHECK(is_near(factors.report.log_abs_determinant, reference.report.log_abs_determinant,
                  rounding_bound<double>(49 * 49)));
}

TEST_CASE("small pivots are raised, counted, and the factors are those of the raised matrix") {
    for (const Factorization kind : {Factorization::lu, Factorization::ldlt}) {
        SparseMatrix<double> a = random_sparse<double>(30, 0, Symmetry::symmetric, true, 6);
        diagonal_entry(a, 4) = 0.0;
        diagonal_entry(a, 17) = -1e-13;
        const Analysis analysis = simple_analysis(a.pattern, a.symmetry, kind);
        const PivotRule rule{1e-8, 1e-14};
        FactoredSubtree<double> factors(a, analysis, whole_tree(analysis.tree), rule);
        CHECK(factors.report.perturbed == 2);
        std::vector<double> x(30, 1.0);
        const DenseView<double> view{x.data(), 30, 1, 30}, y{nullptr, 0, 1, 1};
        factors.forward(Operation::none, view, y);
        factors.diagonal(Operation::none, view);
        factors.backward(Operation::none, view, y.as_const());
        CHECK(std::abs(x[4]) == doctest::Approx(1e8));
        CHECK(x[17] == doctest::Approx(-1e8));
    }
}

TEST_CASE("either stop flag, set before the start, leaves everything as it was") {
    const SparseMatrix<double> a = random_grid<double>(5, Symmetry::general, true, 4);
    const Analysis analysis = simple_analysis(a.pattern, a.symmetry, Factorization::lu, {2});
    const std::atomic<bool> stop = true, go_on = false;
    const count_t size = cpu::subtree_factor_scalars(analysis.tree, whole_tree(analysis.tree), Factorization::lu);
    for (const cpu::StopFlags flags : {cpu::StopFlags(&stop), cpu::StopFlags(&go_on, &stop)}) {
        FactoredSubtree<double> factors(a, analysis, whole_tree(analysis.tree), {}, flags);
        for (count_t i = 0; i < size; ++i) REQUIRE(std::isnan(factors.factor()[i]));
        CHECK(factors.report.positive + factors.report.negative + factors.report.zero == 0);
        CHECK(factors.intact());
    }
    CHECK_FALSE(cpu::StopFlags().any());
    CHECK_FALSE(cpu::StopFlags(&go_on, &go_on).any());
}

TEST_CASE("factors are written whole: no value of the poisoned chunk survives") {
    for (const KindCase& c : kind_cases<double>()) {
        CAPTURE(c.name);
        const SparseMatrix<double> a = dominant_matrix<double>(c, 6, 2);
        const Analysis analysis = simple_analysis(a.pattern, c.symmetry, c.kind, {1, 4});
        FactoredSubtree<double> factors(a, analysis, whole_tree(analysis.tree));
        const double* part = factors.factor();
        for (const Front& front : analysis.tree.fronts) {
            const FrontPanels at = front_panels(front, c.kind);
            const count_t npiv = front.npiv, ncb = front.ncb();
            for (count_t i = 0; i < npiv * front.nfront; ++i) REQUIRE(std::isfinite(part[at.panel + i]));
            if (c.kind == Factorization::lu)
                for (count_t i = 0; i < npiv * ncb; ++i) REQUIRE(std::isfinite(part[at.upper + i]));
            part += at.size;
        }
        CHECK(part == factors.factor() + cpu::subtree_factor_scalars(analysis.tree, whole_tree(analysis.tree), c.kind));
    }
}

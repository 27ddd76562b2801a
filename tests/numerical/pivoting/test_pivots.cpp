// SPDX-License-Identifier: BSD-3-Clause
// What a factorization says of the matrix: inertia, determinant, and the columns where it failed.
#include "determinant_oracle.hpp"
#include "forced_mapping.hpp"
#include "frond/frond.hpp"
#include "sample_systems.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace frond;
using namespace frond::test;

namespace {

const ForcedMapping mappings[] = {{"one subtree", 16, 1 << 20},
                                  {"tiles of 16", 16, 0},
                                  {"tiles of 6 above subtrees", 6, 20}};

template <class T>
constexpr Symmetry self_adjoint = is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric;

template <class T>
Factors<T> factored(const SparseMatrix<T>& a, Factorization kind, const ForcedMapping& mapping,
                    const FactorOptions& factor_options = {}) {
    AnalysisOptions options;
    options.factorization = kind;
    options.amalgamation_zeros = 1e-9;
    const AnalysisResult result = analyze(a, options);
    return factorize(shared_session(), remapped(*result.analysis, mapping), a, factor_options, &result.scaling);
}

/// Bound of |tr(A^-1 dA)|, the change of log det A, for |dA| <= tolerance |A|.
double determinant_bound(const DenseMatrix& a, double tolerance) {
    DenseMatrix unit(a.rows, a.rows);
    for (index_t i = 0; i < a.rows; ++i) unit(i, i) = 1;
    const DenseMatrix inverse = solve_dense(a, unit);
    long double sum = 0;
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t j = 0; j < a.rows; ++j) sum += std::abs(inverse(i, j)) * std::abs(a(j, i));
    return tolerance * static_cast<double>(sum);
}

/// The Laplacian of a cycle through `nodes` (one null vector), the rest diagonally dominant.
template <class T>
SparseMatrix<T> with_cycle(index_t n, const std::vector<index_t>& nodes, Symmetry symmetry) {
    EntryTable<T> table;
    Random random(31);
    std::vector<char> in_cycle(static_cast<std::size_t>(n), 0);
    for (const index_t i : nodes) in_cycle[static_cast<std::size_t>(i)] = 1;
    const auto add = [&](index_t i, index_t j, T v) {
        if (symmetry == Symmetry::general || i >= j) table[{j, i}] += v;
    };
    for (index_t j = 0; j < n; ++j)
        for (index_t k = 0; k < 3; ++k) {
            const index_t i = random.below(n);
            if (i > j && !in_cycle[static_cast<std::size_t>(i)] && !in_cycle[static_cast<std::size_t>(j)])
                add(i, j, random.value<T>());
        }
    dominate_diagonal(n, table, 1.0);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const index_t i = nodes[k], j = nodes[(k + 1) % nodes.size()];
        table[{i, i}] = T(2);
        add(i, j, T(-1));
        add(j, i, T(-1));
    }
    return from_table(n, table, symmetry);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("inertia is that of the eigenvalues", T, inertia_cases) {
    std::vector<SampleSystem<T>> systems;
    add_definite(systems);
    add_indefinite(systems);
    for (const SampleSystem<T>& system : systems)
        for (const ForcedMapping& mapping : mappings) {
            CAPTURE(system.name);
            CAPTURE(mapping.name);
            const FactorReport report = factored(system.matrix, system.kind, mapping).report();
            if (is_complex<T> && system.kind == Factorization::ldlt) {
                CHECK_FALSE(report.pivots.inertia.has_value());
                continue;
            }
            if (report.status == FactorStatus::perturbed) continue;
            const Inertia expected = dense_inertia(dense(system.matrix), 1e-14);
            REQUIRE(report.pivots.inertia.has_value());
            CHECK(report.pivots.inertia->negative == expected.negative);
            CHECK(report.pivots.inertia->zero == expected.zero);
            CHECK(report.pivots.inertia->positive == expected.positive);
        }
}
TEST_CASE_TEMPLATE_APPLY(inertia_cases, Scalars);

TEST_CASE("inertia of a control problem: one negative eigenvalue a constraint") {
    const SparseMatrix<double> a = kkt<double>(4).matrix;
    for (const ForcedMapping& mapping : mappings) {
        const FactorReport report = factored(a, Factorization::ldlt, mapping).report();
        REQUIRE(report.pivots.inertia.has_value());
        CHECK(report.pivots.inertia->negative == 64);
        CHECK(report.pivots.inertia->positive == 128);
        CHECK(report.pivots.inertia->zero == 0);
    }
}

TEST_CASE_TEMPLATE_DEFINE("log-determinant and phase", T, determinant_cases) {
    count_t compared = 0;
    for (const SampleSystem<T>& system : sample_systems<T>())
        for (const ForcedMapping& mapping : mappings) {
            CAPTURE(system.name);
            CAPTURE(mapping.name);
            const Factors<T> factors = factored(system.matrix, system.kind, mapping);
            const auto computed = factors.log_determinant();
            REQUIRE(computed.has_value() == (factors.report().status == FactorStatus::success));
            if (!computed) continue;
            ++compared;
            const DenseMatrix a = dense(system.matrix);
            const DenseDeterminant expected = dense_determinant(a);
            // 100: the growth that pivoting inside tiles leaves on these matrices.
            const double bound = determinant_bound(a, 100 * rounding_bound<T>(2 * a.rows));
            CHECK(std::abs(computed->log_abs - expected.log_abs) <= bound);
            CHECK(std::abs(widen(computed->phase) - expected.phase) <= std::min(bound, 0.5));
        }
    CHECK(compared >= 12);
}
TEST_CASE_TEMPLATE_APPLY(determinant_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("null pivots are named by their columns", T, null_pivots) {
    const std::vector<index_t> cycle{3, 17, 41, 8, 29, 62};
    for (const Factorization kind : {is_complex<T> ? Factorization::ldlh : Factorization::ldlt, Factorization::lu})
        for (const ForcedMapping& mapping : mappings) {
            CAPTURE(static_cast<int>(kind));
            CAPTURE(mapping.name);
            const auto a = with_cycle<T>(80, cycle, kind == Factorization::lu ? Symmetry::general : self_adjoint<T>);
            const FactorReport report = factored(a, kind, mapping).report();
            CHECK(report.status == FactorStatus::singular);
            CHECK(report.pivots.perturbed == 0);
            REQUIRE(report.pivots.inertia.has_value() == (kind != Factorization::lu));
            if (report.pivots.inertia) CHECK(report.pivots.inertia->zero == 1);
            REQUIRE(report.pivots.small_columns.size() == 1);
            CHECK(std::count(cycle.begin(), cycle.end(), report.pivots.small_columns[0]) == 1);
            REQUIRE(report.pivots.null_rows.size() == 1);
            CHECK(std::count(cycle.begin(), cycle.end(), report.pivots.null_rows[0]) == 1);
            FactorOptions fixed;
            fixed.pivoting = Pivoting::static_pivots;
            const FactorReport raised = factored(a, kind, mapping, fixed).report();
            CHECK(raised.status == FactorStatus::perturbed);
            CHECK(raised.pivots.perturbed == 1);
            CHECK_FALSE(raised.pivots.inertia.has_value());
            REQUIRE(raised.pivots.small_columns.size() == 1);
            CHECK(std::count(cycle.begin(), cycle.end(), raised.pivots.small_columns[0]) == 1);
        }
}
TEST_CASE_TEMPLATE_APPLY(null_pivots, Scalars);

TEST_CASE_TEMPLATE_DEFINE("an empty row and column are named", T, empty_columns) {
    for (const bool symmetric : {true, false}) {
        SparseMatrix<T> a = random_sparse<T>(70, 3, symmetric ? self_adjoint<T> : Symmetry::general, true, 41);
        for (index_t j = 0; j < a.cols(); ++j)
            for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
                 e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
                if (j == 23 || a.pattern.row[static_cast<std::size_t>(e)] == 23)
                    a.value[static_cast<std::size_t>(e)] = 0;
        const Factorization kind = !symmetric      ? Factorization::lu
                                   : is_complex<T> ? Factorization::ldlh
                                                   : Factorization::ldlt;
        const FactorReport report = factored(a, kind, mappings[2]).report();
        CHECK(report.status != FactorStatus::success);
        CHECK(report.pivots.small_columns == std::vector<index_t>{23});
    }
}
TEST_CASE_TEMPLATE_APPLY(empty_columns, Scalars);

TEST_CASE_TEMPLATE_DEFINE("L L^H names the column that is not positive", T, not_definite) {
    for (const index_t column : {0, 37, 89})
        for (const ForcedMapping& mapping : mappings) {
            SparseMatrix<T> a = random_sparse<T>(90, 3, self_adjoint<T>, true, 43);
            a.value[static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(column)])] = T(-1);
            const Factors<T> factors = factored(a, Factorization::llt, mapping);
            CHECK(factors.report().status == FactorStatus::not_positive_definite);
            CHECK(factors.report().pivots.failed_column == column);
            std::vector<T> x(90, T(1));
            const BlockView<T> view{x.data(), 90};
            CHECK_THROWS_AS(static_cast<void>(solve<T>(factors, {x.data(), 90}, view)), InvalidArgument);
        }
}
TEST_CASE_TEMPLATE_APPLY(not_definite, Scalars);

TEST_CASE_TEMPLATE_DEFINE("automatic falls back to L D L^H", T, fall_back) {
    // Triangles with off-diagonal -0.9: positive 2 x 2 minors, one eigenvalue 1 - 1.8 < 0 each.
    EntryTable<T> table;
    const index_t triangles = 20;
    for (index_t t = 0; t < triangles; ++t)
        for (index_t j = 0; j < 3; ++j)
            for (index_t i = j; i < 3; ++i) table[{3 * t + j, 3 * t + i}] = T(i == j ? real_t<T>(1) : real_t<T>(-0.9));
    for (index_t t = 0; t + 1 < triangles; ++t) table[{3 * t, 3 * t + 3}] = T(real_t<T>(0.01));
    const SparseMatrix<T> a = from_table(3 * triangles, table, self_adjoint<T>);
    Solver<T> solver(shared_session());
    solver.analyze(a);
    REQUIRE(solver.analysis()->factorization == Factorization::llt);
    const FactorReport report = solver.factor(a);
    CHECK(report.fell_back_to_ldlt);
    CHECK(report.factorization == (is_complex<T> ? Factorization::ldlh : Factorization::ldlt));
    REQUIRE(report.pivots.inertia.has_value());
    CHECK(report.pivots.inertia->negative == triangles);
    CHECK(report.pivots.inertia->positive == 2 * triangles);
    std::vector<T> b(60, T(1)), x(60);
    CHECK(solver.solve({b.data(), 60}, {x.data(), 60}).status == SolveStatus::converged);
}
TEST_CASE_TEMPLATE_APPLY(fall_back, Scalars);

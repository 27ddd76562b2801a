// SPDX-License-Identifier: BSD-3-Clause
// Whole factorizations whose tasks on tiles all run on a device, their subtrees on cores. Without a device the same
// checks hold on the cores.
#include "determinant_oracle.hpp"
#include "error_oracle.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "run_both.hpp"
#include "scalar_lists.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

/// Found by trial, for log |det A| by the factors against that of an elimination in long double.
constexpr double determinant_in_n_eps = 2000;
/// Found by trial: a substitution leaves less than that of a full system, products with blocks of a large inverse more.
constexpr double error_by_substitution = 1e-12;

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("whole trees", T, trees) {
    constexpr index_t k = 7, n = k * k * k;
    for (const Kind& kind : kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        CAPTURE(kind.diagonal);
        const SparseMatrix<T> a = grid<T>(k, kind);
        const test::DenseMatrix d = dense(a);
        const DenseDeterminant determinant = dense_determinant(d);
        for (const ForcedMapping& mapping :
             {ForcedMapping{"one subtree", 16, n}, ForcedMapping{"subtrees and tiles", 40, 60},
              ForcedMapping{"tiles", 64, 0}}) {
            CAPTURE(std::string(mapping.name));
            const Factors<T> factors = factored(a, kind.factorization, mapping);
            CHECK(factors.report().status == FactorStatus::success);
            CHECK(factors.report().pivots.largest_l <= 100 * (1 + 10 * epsilon<T>()));
            CHECK((factors.report().pivots.largest_l > 0) == (kind.factorization != Factorization::llt));
            const auto log_determinant = factors.log_determinant();
            REQUIRE(log_determinant.has_value());
            CHECK(std::abs(log_determinant->log_abs - determinant.log_abs) <= determinant_in_n_eps * n * epsilon<T>());
            if (factors.report().pivots.inertia)
                CHECK(factors.report().pivots.inertia->negative + factors.report().pivots.inertia->positive == n);
            const auto b = RhsBlock<T>::random(n, 2, 31);
            RhsBlock<T> x(n, 2);
            for (const Operation operation : {Operation::none, Operation::transpose}) {
                SolveOptions options;
                options.operation = operation;
                CHECK(solve(factors, b.view(), x.view(), options).status == SolveStatus::converged);
                CHECK(componentwise_error(apply_operation(d, operation), widened(x), widened(b)) <= 450 * epsilon<T>());
            }
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(trees, Scalars);

TEST_CASE_TEMPLATE_DEFINE("panels of several inverted blocks" * doctest::test_suite(needs_device), T,
                          panels_of_blocks) {
    constexpr index_t k = 14, n = k * k * k;
    for (const Kind& kind : kinds<T>()) {
        if (kind.diagonal < 6) continue;  // well conditioned: little refinement, if any
        CAPTURE(static_cast<int>(kind.factorization));
        const SparseMatrix<T> a = grid<T>(k, kind);
        const Factors<T> factors = factored(a, kind.factorization, {"", 300, 400});
        CHECK(factors.report().status == FactorStatus::success);
        const auto b = RhsBlock<T>::random(n, 1, 32);
        RhsBlock<T> x(n, 1);
        SolveOptions options;
        options.max_refinement_steps = 0;
        options.krylov = Krylov::off;
        const SolveReport report = solve(factors, b.view(), x.view(), options);
        CHECK(report.backward_error <= 450 * epsilon<T>());
    }
}
TEST_CASE_TEMPLATE_APPLY(panels_of_blocks, Scalars);

namespace {

/// A full matrix whose column 40 is one of those before it but for delta: its pivot is small, and the inverse of
/// its diagonal block large.
SparseMatrix<double> nearly_dependent(index_t n, double delta) {
    Random random(9);
    SystemBuilder<double> a(n, Symmetry::general);
    for (index_t i = 0; i < n; ++i) {
        double sum = 0;
        for (index_t j = 0; j < n; ++j) {
            const double v = j == 40 ? sum / 6 + delta * random.value<double>() : random.value<double>();
            if (j < 40) sum += v;
            a.set(i, j, v);
        }
    }
    return a.matrix();
}

}  // namespace

TEST_CASE("a panel whose inverted blocks would lose digits is solved by substitution" *
          doctest::test_suite(needs_device)) {
    constexpr index_t n = 384;
    for (const double delta : {1e-2, 1e-4, 1e-6}) {
        CAPTURE(delta);
        const SparseMatrix<double> a = nearly_dependent(n, delta);
        AnalysisOptions options;
        options.ordering = OrderingMethod::natural;
        options.matching = MatchingMode::off;
        options.scaling = ScalingMethod::none;
        options.deterministic = true;
        const AnalysisResult analysed = analyze(a, options);
        const Factors<double> factors =
            factorize(device_session(), remapped(*analysed.analysis, {"", 256, 0}), a, {}, &analysed.scaling);
        const auto b = RhsBlock<double>::random(n, 1, 33);
        RhsBlock<double> x(n, 1);
        SolveOptions once;
        once.max_refinement_steps = 0;
        once.krylov = Krylov::off;
        once.place = SolvePlace::host;  // on the device, blocks are inverted whatever they are
        CHECK(solve(factors, b.view(), x.view(), once).backward_error <= error_by_substitution);
    }
}

TEST_CASE("L L^T of an indefinite matrix names the same column" * doctest::test_suite(wherever)) {
    const SparseMatrix<double> a = grid<double>(7, {Factorization::llt, Symmetry::symmetric, 3});
    for (const index_t subtree_columns : {0, 343}) {
        const Factors<double> factors = factored(a, Factorization::llt, {"", 40, subtree_columns});
        CHECK(factors.report().status == FactorStatus::not_positive_definite);
        CHECK(factors.report().pivots.failed_column >= 0);
    }
}

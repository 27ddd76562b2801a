// SPDX-License-Identifier: BSD-3-Clause
// Solves with factors that stay on the device. Without a device the refusals and the host's results are
// checked.
#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "error_oracle.hpp"
#include "frond/condition.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "substitution/device_solve.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

SolveOptions on_device_alone() {
    SolveOptions options;
    options.place = SolvePlace::device;
    options.max_refinement_steps = 0;
    options.krylov = Krylov::off;
    return options;
}

template <class T>
std::string refusal(const Factors<T>& factors, const SolveOptions& options) {
    const index_t n = factors.analysis().order;
    const auto b = RhsBlock<T>::random(n, 1, 5);
    RhsBlock<T> x(n, 1);
    try {
        static_cast<void>(solve(factors, b.view(), x.view(), options));
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

}  // namespace

template <class T>
static void check_resident_solves() {
    constexpr index_t k = 7, n = k * k * k;
    for (const Kind& kind : kinds<T>()) {
        if (kind.diagonal < 6) continue;  // elsewhere columns may be set back, which the device leaves to the host
        CAPTURE(static_cast<int>(kind.factorization));
        const SparseMatrix<T> a = grid<T>(k, kind);
        const test::DenseMatrix d = dense(a);
        for (const ForcedMapping& mapping :
             {ForcedMapping{"one subtree", 16, n}, ForcedMapping{"subtrees and tiles", 40, 60},
              ForcedMapping{"tiles", 64, 0}, ForcedMapping{"one tile a front", 300, 0}}) {
            CAPTURE(std::string(mapping.name));
            const Factors<T> factors = factored(a, kind.factorization, mapping);
            // 70: more than go over at once. Once is enough.
            const index_t most = mapping.subtree_columns == 60 ? 70 : 3;
            for (const index_t rhs : {index_t(1), index_t(3), most}) {
                CAPTURE(rhs);
                const auto b = RhsBlock<T>::random(n, rhs, 31);
                RhsBlock<T> x(n, rhs);
                SolveOptions options = on_device_alone();
                if (!has_device()) options.place = SolvePlace::automatic;
                const SolveReport report = solve(factors, b.view(), x.view(), options);
                CHECK(report.on_device == has_device());
                CHECK(componentwise_error(d, widened(x), widened(b)) <= 450 * epsilon<T>());
            }
        }
    }
}
FROND_LONG_DEVICE_CASES("resident solves", check_resident_solves, Scalars);

TEST_CASE("2 x 2 pivots and pivot orders on the device" * doctest::test_suite(needs_device)) {
    const Kind kind{Factorization::ldlt, Symmetry::symmetric, 3};
    const SparseMatrix<double> a = grid<double>(8, kind);
    const test::DenseMatrix d = dense(a);
    const Factors<double> factors = factored(a, kind.factorization, {"", 40, 60});
    const auto b = RhsBlock<double>::random(512, 2, 8);
    RhsBlock<double> x(512, 2), again(512, 2);
    const SolveReport report = solve(factors, b.view(), x.view());
    CHECK(report.status == SolveStatus::converged);
    CHECK(componentwise_error(d, widened(x), widened(b)) <= 450 * epsilon<double>());
    // Bit for bit the same again.
    static_cast<void>(solve(factors, b.view(), again.view()));
    for (index_t j = 0; j < 2; ++j)
        for (index_t i = 0; i < 512; ++i) REQUIRE(x(i, j) == again(i, j));
}

namespace {

/// Solves of op(A) X = B with and without refinement, on the device unless columns were set back.
template <class T>
void check_operation(const SparseMatrix<T>& a, const Factors<T>& factors, Operation op, index_t rhs) {
    CAPTURE(static_cast<int>(op));
    CAPTURE(rhs);
    const index_t n = a.rows();
    const test::DenseMatrix d = apply_operation(dense(a), op);
    const auto b = RhsBlock<T>::random(n, rhs, 31);
    RhsBlock<T> x(n, rhs), refined(n, rhs);
    SolveOptions options = on_device_alone();
    options.place = SolvePlace::automatic;
    options.operation = op;
    const bool fits = detail::state_of(factors)->device_solve().why_not(options).empty();
    CHECK(solve(factors, b.view(), x.view(), options).on_device == fits);
    CHECK(componentwise_error(d, widened(x), widened(b)) <= 450 * epsilon<T>());
    options.max_refinement_steps = 10;
    const SolveReport report = solve(factors, b.view(), refined.view(), options);
    CHECK(report.on_device == fits);
    CHECK(report.status == SolveStatus::converged);
    const double error = componentwise_error(d, widened(refined), widened(b));
    CHECK(error <= 20 * epsilon<T>());
    CHECK(std::abs(error - report.componentwise_backward_error) <= 10 * epsilon<T>());
}

}  // namespace

template <class T>
static void check_transposed_solves() {
    constexpr index_t k = 6, n = k * k * k;
    // 1.5: with rows that pivoting moves; by this threshold none is set back.
    for (const double diagonal : {6.5, 1.5}) {
        CAPTURE(diagonal);
        const SparseMatrix<T> a = grid<T>(k, {Factorization::lu, Symmetry::general, diagonal});
        FactorOptions options;
        options.pivot_threshold = diagonal > 6 ? 0.01 : 1e-6;
        for (const ForcedMapping& mapping :
             {ForcedMapping{"one subtree", 16, n}, ForcedMapping{"subtrees and tiles", 40, 60},
              ForcedMapping{"small tiles", 16, 0}, ForcedMapping{"one tile a front", 300, 0}}) {
            CAPTURE(std::string(mapping.name));
            const Factors<T> factors = factored(a, Factorization::lu, mapping, FactorPlace::tasks, options);
            if (diagonal > 6) CHECK(detail::state_of(factors)->device_solve().why_not({}).empty() == has_device());
            for (const Operation op : {Operation::transpose, Operation::adjoint, Operation::none})
                for (const index_t rhs : {index_t(1), index_t(3), index_t(20)}) check_operation(a, factors, op, rhs);
        }
    }
}
FROND_LONG_DEVICE_CASES("transposed solves with L U", check_transposed_solves, Scalars);

TEST_CASE("condition estimates ask for A and its adjoint on the device" * doctest::test_suite(needs_device)) {
    const Kind kind{Factorization::lu, Symmetry::general, 6.5};
    const Factors<double> factors = factored(grid<double>(5, kind), kind.factorization, {"", 40, 60});
    const ConditionEstimate estimate = condition_estimate(factors);
    // Gershgorin: |a_ii| is 6.5 to 6.56, the others of a row or column less than 6 * 0.95.
    CHECK(estimate.inverse_norm_1 >= 1 / (6.56 + 6 * 0.95));
    CHECK(estimate.inverse_norm_1 <= 1 / (6.5 - 6 * 0.95));
}

/// The first solve with a number of right-hand sides launches, the second records, later ones launch the record.
TEST_CASE("the same bits from launches and from their record" * doctest::test_suite(needs_device)) {
    constexpr index_t n = 216;
    for (const Kind& kind :
         {Kind{Factorization::lu, Symmetry::general, 6.5}, Kind{Factorization::ldlt, Symmetry::symmetric, 3}}) {
        const SparseMatrix<double> a = grid<double>(6, kind);
        const Factors<double> factors = factored(a, kind.factorization, {"", 40, 60});
        const auto b = RhsBlock<double>::random(n, 17, 8);
        const auto solved = [&](index_t rhs) {
            RhsBlock<double> x(n, rhs);
            SolveOptions options;
            options.max_refinement_steps = 2;
            static_cast<void>(solve(factors, BlockView<const double>{b.view().data, n, rhs, n}, x.view(), options));
            return x;
        };
        const RhsBlock<double> one = solved(1), three = solved(3), all = solved(17);
        for (const index_t rhs : {17, 3, 3, 3, 17, 17, 1, 1, 1, 3, 17}) {
            CAPTURE(rhs);
            CHECK(solved(rhs) == (rhs == 1 ? one : rhs == 3 ? three : all));
        }
        CHECK(componentwise_error(dense(a), widened(one), widened(RhsBlock<double>::random(n, 1, 8))) <=
              450 * epsilon<double>());
    }
}

TEST_CASE_TEMPLATE_DEFINE("presolve" * doctest::test_suite(needs_device), T, presolve) {
    constexpr index_t n = 216;
    for (const Kind& kind : kinds<T>())
        for (const FactorPlace place : {FactorPlace::tasks, FactorPlace::automatic}) {
            if (kind.diagonal < 6) continue;
            CAPTURE(static_cast<int>(kind.factorization));
            const SparseMatrix<T> a = grid<T>(6, kind);
            FactorOptions options;
            options.presolve = true;
            const Factors<T> factors = factored(a, kind.factorization, {"", 40, 60}, place, options);
            CHECK((factors.report().work.presolve_seconds > 0) == has_device());
            CHECK((detail::state_of(factors)->device_solve().device_bytes() > 0) == has_device());
            const auto b = RhsBlock<T>::random(n, 2, 8);
            RhsBlock<T> x(n, 2);
            CHECK(solve(factors, b.view(), x.view()).on_device == has_device());
            CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<T>());
            const Factors<T> without = factored(a, kind.factorization, {"", 40, 60}, place);
            CHECK(without.report().work.presolve_seconds == 0);
        }
}
TEST_CASE_TEMPLATE_APPLY(presolve, Scalars);

TEST_CASE("presolve of a matrix that has no factors") {
    const Kind kind{Factorization::llt, Symmetry::symmetric, 0};
    FactorOptions options;
    options.presolve = true;
    const Factors<double> factors =
        factored(grid<double>(5, kind), kind.factorization, {"", 40, 60}, FactorPlace::tasks, options);
    CHECK(factors.report().status == FactorStatus::not_positive_definite);
    CHECK(factors.report().work.presolve_seconds == 0);
}

TEST_CASE("another factorization takes the device, and gives it back" * doctest::test_suite(needs_device)) {
    const Kind kind{Factorization::llt, Symmetry::symmetric, 6.5};
    const SparseMatrix<double> a = grid<double>(7, kind), other = grid<double>(6, kind);
    const test::DenseMatrix d = dense(a);
    const Factors<double> factors = factored(a, kind.factorization, {"", 40, 60});
    const auto b = RhsBlock<double>::random(343, 1, 8);
    for (int round = 0; round < 3; ++round) {
        RhsBlock<double> x(343, 1);
        const SolveReport report = solve(factors, b.view(), x.view());
        CHECK(report.on_device == has_device());
        CHECK(componentwise_error(d, widened(x), widened(b)) <= 450 * epsilon<double>());
        CHECK(factored(other, kind.factorization, {"", 40, 60}).report().status == FactorStatus::success);
    }
}

TEST_CASE("place = device says why it cannot be" * doctest::test_suite(needs_device)) {
    const Kind kind{Factorization::lu, Symmetry::general, 6.5};
    const Factors<double> factors = factored(grid<double>(5, kind), kind.factorization, {"", 16, 40});
    SolveOptions options = on_device_alone();
    CHECK(refusal(factors, options).empty());
    options.operation = Operation::transpose;
    CHECK(refusal(factors, options).empty());
    options.part = SolvePart::forward;
    CHECK(refusal(factors, options).find("whole solves") != std::string::npos);
}

TEST_CASE("place = device without a device" * doctest::test_suite(needs_no_device)) {
    const Kind kind{Factorization::lu, Symmetry::general, 6.5};
    const Factors<double> factors = factored(grid<double>(5, kind), kind.factorization, {"", 16, 40});
    CHECK(refusal(factors, on_device_alone()).find("no device") != std::string::npos);
    CHECK(refusal(factors, on_device_alone()).find("; use automatic or host") != std::string::npos);
}

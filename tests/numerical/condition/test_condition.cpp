// SPDX-License-Identifier: BSD-3-Clause
// Condition estimates and forward error bounds by the factors.
#include "dense_oracle.hpp"
#include "forced_mapping.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/operations.hpp"
#include "rhs_block.hpp"
#include "sample_systems.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "singular_systems.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

using namespace frond;
using namespace frond::test;

namespace {

constexpr Operation operations[] = {Operation::none, Operation::transpose, Operation::adjoint};
constexpr double infinite = std::numeric_limits<double>::infinity();

double one_norm(const DenseMatrix& a) {
    long double largest = 0;
    for (index_t j = 0; j < a.cols; ++j) {
        long double sum = 0;
        for (index_t i = 0; i < a.rows; ++i) sum += std::abs(a(i, j));
        largest = std::max(largest, sum);
    }
    return static_cast<double>(largest);
}

DenseMatrix inverse_of(const DenseMatrix& a) {
    DenseMatrix unit(a.rows, a.rows);
    for (index_t i = 0; i < a.rows; ++i) unit(i, i) = 1;
    return solve_dense(a, unit);
}

/// || |A^-1| |A| ||_inf
double skeel(const DenseMatrix& a) {
    const DenseMatrix inverse = inverse_of(a);
    long double largest = 0;
    for (index_t i = 0; i < a.rows; ++i) {
        long double sum = 0;
        for (index_t k = 0; k < a.cols; ++k)
            for (index_t j = 0; j < a.cols; ++j) sum += std::abs(inverse(i, k)) * std::abs(a(k, j));
        largest = std::max(largest, sum);
    }
    return static_cast<double>(largest);
}

template <class T>
Solver<T> factored(const SparseMatrix<T>& a, Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    Solver<T> solver(shared_session(), options);
    solver.factor(a);
    return solver;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("condition of the sample systems, against dense inverses", T, samples) {
    for (const SampleSystem<T>& system : sample_systems<T>()) {
        CAPTURE(system.name);
        const Solver<T> solver = factored(system.matrix, system.kind);
        const ConditionEstimate c = condition_estimate(solver.factors());
        const DenseMatrix a = dense(system.matrix);
        const double norm = one_norm(a), inverse = one_norm(inverse_of(a));
        CHECK(std::abs(c.norm_1 - norm) <= rounding_bound<T>(a.rows) * norm);
        // The factors' backward error changes A^-1 by some cond(A) n eps.
        const double slack = 1 + norm * inverse * rounding_bound<T>(10 * a.rows);
        REQUIRE(slack < 2);
        CHECK(c.inverse_norm_1 <= inverse * slack);
        CHECK(c.inverse_norm_1 * 3 * slack >= inverse);
        CHECK(is_near(c.reciprocal_condition, 1 / (c.norm_1 * c.inverse_norm_1), rounding_bound<double>(4)));
    }
}
TEST_CASE_TEMPLATE_APPLY(samples, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a diagonal matrix: exactly the ratio", T, diagonal) {
    EntryTable<T> table;
    for (index_t i = 0; i < 30; ++i) table[{i, i}] = T(static_cast<real_t<T>>(std::ldexp(1.0, -i)));
    const SparseMatrix<T> a = from_table(30, table, Symmetry::general);
    const ConditionEstimate c = condition_estimate(factored(a, Factorization::lu).factors());
    CHECK(c.norm_1 == 1);
    CHECK(c.inverse_norm_1 == doctest::Approx(std::ldexp(1.0, 29)).epsilon(rounding_bound<T>(30)));
}
TEST_CASE_TEMPLATE_APPLY(diagonal, Scalars);

TEST_CASE_TEMPLATE_DEFINE("singular: 0, and no forward error bound", T, singular) {
    const SparseMatrix<T> a = scaled_laplacian<T>(60, 2, Symmetry::general, 3);
    Solver<T> solver = factored(a, Factorization::lu);
    const ConditionEstimate c = condition_estimate(solver.factors());
    CHECK(c.reciprocal_condition == 0);
    CHECK(c.inverse_norm_1 == infinite);
    RhsBlock<T> b = RhsBlock<T>::random(60, 2, 1), x(60, 2);
    SolveOptions options;
    options.forward_error = true;
    const SolveReport report = solver.solve(std::as_const(b).view(), x.view(), options);
    CHECK(report.forward_errors == std::vector<double>{infinite, infinite});
    CHECK(report.forward_error == infinite);
}
TEST_CASE_TEMPLATE_APPLY(singular, Scalars);

TEST_CASE_TEMPLATE_DEFINE("forward error bounds hold", T, forward) {
    for (const SampleSystem<T>& system : sample_systems<T>()) {
        CAPTURE(system.name);
        Solver<T> solver = factored(system.matrix, system.kind);
        const index_t n = system.matrix.rows(), rhs = 3;
        for (const Operation op : operations) {
            SolveOptions options;
            options.operation = op;
            RhsBlock<T> b = RhsBlock<T>::random(n, rhs, 21, 2), x(n, rhs, 1);
            const SolveReport plain = solver.solve(std::as_const(b).view(), x.view(), options);
            CHECK(!plain.forward_error);
            CHECK(plain.forward_errors.empty());
            options.forward_error = true;
            const SolveReport report = solver.solve(std::as_const(b).view(), x.view(), options);
            REQUIRE(report.forward_errors.size() == 3);
            CHECK(report.forward_error ==
                  *std::max_element(report.forward_errors.begin(), report.forward_errors.end()));
            DenseMatrix wide_b(n, rhs);
            for (index_t j = 0; j < rhs; ++j)
                for (index_t i = 0; i < n; ++i) wide_b(i, j) = widen(b(i, j));
            const DenseMatrix oa = apply_operation(dense(system.matrix), op);
            const DenseMatrix exact = solve_dense(oa, wide_b);
            // |r| and its rounding are at most the backward error and (n + 1) eps times |A| |x| + |b|, which is hardly
            // more than 2 |A| |x|.
            const double most = skeel(oa) * (2.1 * accepted_backward_error<T>({}) + rounding_bound<T>(3 * (n + 1)));
            for (index_t j = 0; j < rhs; ++j) {
                long double difference = 0, size = 0;
                for (index_t i = 0; i < n; ++i) {
                    difference = std::max(difference, std::abs(exact(i, j) - widen(x(i, j))));
                    size = std::max(size, std::abs(widen(x(i, j))));
                }
                const double bound = report.forward_errors[static_cast<std::size_t>(j)];
                CHECK(static_cast<double>(difference / size) <= bound);
                CHECK(bound <= most);
            }
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(forward, Scalars);

TEST_CASE_TEMPLATE_DEFINE("X over B gives the same bound", T, in_place) {
    const SparseMatrix<T> a = random_sparse<T>(70, 3, Symmetry::general, true, 13);
    Solver<T> solver = factored(a, Factorization::lu);
    SolveOptions options;
    options.forward_error = true;
    RhsBlock<T> b = RhsBlock<T>::random(70, 2, 21), x(70, 2);
    const SolveReport apart = solver.solve(std::as_const(b).view(), x.view(), options);
    const SolveReport over = solver.solve(std::as_const(b).view(), b.view(), options);
    CHECK(apart.forward_errors == over.forward_errors);
}
TEST_CASE_TEMPLATE_APPLY(in_place, Scalars);

TEST_CASE("no factors, no positive definite matrix, a part of a solve: refused") {
    using T = std::tuple_element_t<0, Scalars>;
    CHECK_THROWS_AS(condition_estimate(Factors<T>()), InvalidArgument);
    EntryTable<T> table{{{0, 0}, T(-1)}};
    const SparseMatrix<T> negative = from_table(1, table, is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric);
    CHECK_THROWS_AS(condition_estimate(factored(negative, Factorization::llt).factors()), InvalidArgument);
    Solver<T> solver = factored(negative, Factorization::lu);
    T b(1), x(0);
    SolveOptions options;
    options.forward_error = true;
    options.part = SolvePart::forward;
    const BlockView<const T> bv{&b, 1, 1, 0};
    const BlockView<T> xv{&x, 1, 1, 0};
    CHECK_THROWS_AS(static_cast<void>(solver.solve(bv, xv, options)), InvalidArgument);
    std::atomic<bool> cancel{true};
    CHECK_THROWS_AS(condition_estimate(solver.factors(), &cancel), Cancelled);
}

TEST_CASE("order 0") {
    using T = std::tuple_element_t<0, Scalars>;
    const SparseMatrix<T> nothing = from_table<T>(0, {}, Symmetry::general);
    const Solver<T> solver = factored(nothing, Factorization::lu);
    CHECK(condition_estimate(solver.factors()).reciprocal_condition == 1);
    CHECK(null_space(solver.factors()).dimension == 0);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "refine_problem.hpp"
#include "scalar_lists.hpp"
#include "tridiagonal.hpp"

#include <doctest/doctest.h>

#include <new>

using namespace frond;
using namespace frond::test;

namespace {

/// Inverse of A with `delta` added to `count` diagonal entries, as static pivoting does.
DenseMatrix perturbed_inverse(DenseMatrix a, index_t count, double delta) {
    for (index_t k = 0; k < count; ++k) a(3 * k + 1, 3 * k + 1) += Wide(delta);
    return inverse_of(a);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("repairs perturbed pivots where refinement diverges", T, repaired_pivots) {
    const SparseMatrix<T> a = random_grid<T>(6, Symmetry::symmetric, false, 5);
    for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
        const DenseMatrix oa = apply_operation(dense(a), op);
        const LinearSystem<T> system = system_of(a, op);
        const ApplyBlock<T> inverse = apply_dense<T>(perturbed_inverse(oa, 4, 3.0));
        Columns<T> b(36, 2), x(36, 2);
        b.fill_random(4);
        RefinementOptions options;
        options.target = 40 * epsilon_of<T>();
        RefinementReport report = refine<T>(system, b.view, inverse, x.view, options);
        REQUIRE_FALSE(report.all_converged());
        GmresOptions krylov;
        krylov.target = options.target;
        gmres<T>(system, b.view, inverse, x.view, krylov, report);
        CHECK(report.all_converged());
        // The preconditioned operator is I + rank 4: 5 steps a cycle in exact arithmetic.
        CHECK(report.krylov_iterations >= 4);
        CHECK(report.krylov_iterations <= 24);
        for (index_t k = 0; k < 2; ++k)
            CHECK(oracle_error(oa, x.view.column(k), b.view.column(k)) <= 100 * epsilon_of<T>());
    }
}

TEST_CASE_TEMPLATE_APPLY(repaired_pivots, Scalars);

TEST_CASE("graded rows and columns: converged componentwise through perturbed factors") {
    SparseMatrix<double> a = random_grid<double>(6, Symmetry::general, false, 15);
    const auto scale = [](index_t i) { return std::pow(10.0, i % 13 - 6); };
    for (index_t j = 0; j < 36; ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            a.value[static_cast<std::size_t>(e)] *= scale(a.pattern.row[static_cast<std::size_t>(e)]) * scale(35 - j);
    const DenseMatrix d = dense(a);
    DenseMatrix m = d;
    for (index_t k = 0; k < 3; ++k) m(5 * k, 5 * k) += Wide(2 * scale(5 * k) * scale(35 - 5 * k));
    const ApplyBlock<double> inverse = apply_dense<double>(inverse_of(m));
    std::vector<double> column_scale;
    for (index_t j = 0; j < 36; ++j) column_scale.push_back(1 / scale(35 - j));
    const LinearSystem<double> system = system_of(a, Operation::none, &column_scale);
    Columns<double> b(36, 1), x(36, 1);
    b.fill_random(4);
    for (index_t i = 0; i < 36; ++i) b.view(i, 0) *= scale(i);
    RefinementReport report = refine<double>(system, b.view, inverse, x.view);
    gmres<double>(system, b.view, inverse, x.view, {}, report);
    CHECK(report.all_converged());
    CHECK(report.componentwise[0] <= 450 * epsilon_of<double>());
    CHECK(oracle_error(d, x.view.column(0), b.view.column(0)) <= 450 * epsilon_of<double>());
}

TEST_CASE("columns that have converged are not touched") {
    const SparseMatrix<double> a = random_grid<double>(5, Symmetry::general, true, 5);
    const DenseMatrix d = dense(a);
    const LinearSystem<double> system = system_of(a, Operation::none);
    Columns<double> b(25, 3), x(25, 3);
    b.fill_random(4);
    const DenseMatrix exact = solve_dense(d, widened(b.view));
    for (index_t i = 0; i < 25; ++i) x.view(i, 1) = narrow<double>(exact(i, 1));
    const std::vector<double> before(x.view.column(1), x.view.column(1) + 25);
    const ApplyBlock<double> inverse = apply_dense<double>(perturbed_inverse(d, 2, 5.0));
    RefinementOptions options;
    options.max_steps = 0;
    RefinementReport report = refine<double>(system, b.view, inverse, x.view, options);
    CHECK(report.converged == std::vector<std::uint8_t>{0, 1, 0});
    gmres<double>(system, b.view, inverse, x.view, {}, report);
    CHECK(report.all_converged());
    CHECK(std::equal(before.begin(), before.end(), x.view.column(1)));
}

TEST_CASE("short restarts still end, never worse than they began, with honest numbers") {
    const SparseMatrix<double> a = random_grid<double>(6, Symmetry::symmetric, false, 5);
    const DenseMatrix d = dense(a);
    const LinearSystem<double> system = system_of(a, Operation::none);
    const ApplyBlock<double> inverse = apply_dense<double>(perturbed_inverse(d, 9, 2.0));
    for (const index_t restart : {1, 2, 5, 12}) {
        Columns<double> b(36, 1), x(36, 1);
        b.fill_random(6);
        RefinementReport report = refine<double>(system, b.view, inverse, x.view);
        const double before = report.componentwise[0];
        GmresOptions options;
        options.restart = restart;
        options.max_iterations = 40;
        gmres<double>(system, b.view, inverse, x.view, options, report);
        CHECK(report.krylov_iterations <= 40);
        CHECK(report.componentwise[0] <= before);
        const double measured = oracle_error(d, x.view.column(0), b.view.column(0));
        CHECK(std::abs(report.componentwise[0] - measured) <= 20 * epsilon_of<double>());
        if (restart == 12) CHECK(report.converged[0] == 1);
    }
}

TEST_CASE("a singular consistent system with perturbed factors is solved") {
    // Laplacian of a ring: A e = 0; b orthogonal to e.
    const index_t n = 12;
    EntryTable<double> table;
    for (index_t i = 0; i < n; ++i) {
        table[{i, i}] = 2;
        const index_t next = (i + 1) % n;
        table[{std::min(i, next), std::max(i, next)}] = -1;
    }
    const SparseMatrix<double> a = from_table(n, table, Symmetry::symmetric);
    const LinearSystem<double> system = system_of(a, Operation::none);
    DenseMatrix m = dense(a);
    m(n - 1, n - 1) += 1e-2L;
    const ApplyBlock<double> inverse = apply_dense<double>(inverse_of(m));
    Columns<double> b(n, 1), x(n, 1);
    b.view(0, 0) = 1;
    b.view(5, 0) = -1;
    RefinementReport report = refine<double>(system, b.view, inverse, x.view);
    gmres<double>(system, b.view, inverse, x.view, {}, report);
    CHECK(report.all_converged());
    // Inconsistent: the error stays, and is reported.
    Columns<double> ones(n, 1, 1.0), y(n, 1);
    report = refine<double>(system, ones.view, inverse, y.view);
    gmres<double>(system, ones.view, inverse, y.view, {}, report);
    CHECK_FALSE(report.all_converged());
    // The rows of A add up to 0, so the residuals add up to 12 whatever y is, and one of them is 1 at least.
    double largest = 0;
    for (const double v : y.values) largest = std::max(largest, std::abs(v));
    CHECK(report.componentwise[0] >= 0.9 / (4 * largest + 1));
}

TEST_CASE("cancellation and a report of another shape") {
    const SparseMatrix<double> a = random_grid<double>(3, Symmetry::general, true, 9);
    const LinearSystem<double> system = system_of(a, Operation::none);
    const ApplyBlock<double> inverse = apply_dense<double>(identity(9));
    Columns<double> b(9, 1, 1.0), x(9, 1);
    RefinementOptions measure;
    measure.max_steps = 0;
    RefinementReport report = refine<double>(system, b.view, inverse, x.view, measure);
    const std::atomic<bool> cancel = true;
    GmresOptions options;
    options.cancel = &cancel;
    CHECK_THROWS_AS(gmres<double>(system, b.view, inverse, x.view, options, report), Cancelled);
    RefinementReport other;
    CHECK_THROWS_AS(gmres<double>(system, b.view, inverse, x.view, {}, other), InvalidArgument);
}

TEST_CASE("pieces of rows in any order: the same bits as one loop") {
    // Long enough for three pieces; M = 2 I but for every thousandth entry.
    const index_t n = 70000;
    const SparseMatrix<double> a = tridiagonal(n, 2, -0.3);
    count_t calls = 0, chunks_run = 0;
    const ParallelFor reversed = [&](count_t chunks, const std::function<void(count_t)>& body) {
        ++calls;
        for (count_t c = chunks - 1; c >= 0; --c, ++chunks_run) body(c);
    };
    const ApplyBlock<double> inverse = [&](DenseView<double> v) {
        for (index_t i = 0; i < n; ++i) v(i, 0) *= i % 1000 == 0 ? 7 : 0.5;
    };
    Columns<double> b(n, 1);
    b.fill_random(3);
    const auto solved = [&](const ParallelFor& parallel_for, DenseView<double> x) {
        const LinearSystem<double> system = system_of(a, Operation::none, nullptr, parallel_for);
        RefinementOptions measure;
        measure.max_steps = 0;
        RefinementReport report = refine<double>(system, b.view, inverse, x, measure);
        GmresOptions options;
        options.max_iterations = 40;
        gmres<double>(system, b.view, inverse, x, options, report);
        return report;
    };
    Columns<double> x(n, 1), y(n, 1);
    const RefinementReport one = solved({}, x.view);
    calls = chunks_run = 0;
    const RefinementReport other = solved(reversed, y.view);
    CHECK(one.krylov_iterations > 5);
    constexpr double far_below_the_start = 1e-6;  // found by trial; without the steps it is near 1
    CHECK(one.componentwise[0] < far_below_the_start);
    CHECK(one.componentwise == other.componentwise);
    CHECK(x.values == y.values);
    // Each step has at least a product with A, one with W, one with W^-1, two with the basis and a norm in pieces.
    CHECK(calls > 5 * one.krylov_iterations);
    CHECK(chunks_run >= 3 * calls);
}

TEST_CASE("where memory is refused, the best solution stays, and its error is the one reported") {
    const SparseMatrix<double> a = random_grid<double>(6, Symmetry::symmetric, false, 5);
    const LinearSystem<double> system = system_of(a, Operation::none);
    const DenseMatrix d = dense(a);
    const ApplyBlock<double> good = apply_dense<double>(perturbed_inverse(d, 4, 3.0));
    Columns<double> b(36, 2);
    b.fill_random(4);
    bool improved_before = false;
    for (int allowed = 0; allowed < 8; ++allowed) {
        CAPTURE(allowed);
        int applied = 0;
        const ApplyBlock<double> failing = [&](DenseView<double> v) {
            if (applied++ == allowed) throw std::bad_alloc();
            good(v);
        };
        Columns<double> x(36, 2);
        RefinementOptions measure;
        measure.max_steps = 0;
        RefinementReport report = refine<double>(system, b.view, good, x.view, measure);
        GmresOptions options;
        options.restart = 4;  // several restarts
        options.target = 40 * epsilon_of<double>();
        gmres<double>(system, b.view, failing, x.view, options, report);
        CHECK(report.ran_out_of_memory);
        for (index_t k = 0; k < 2; ++k) {
            const double error = oracle_error(d, x.view.column(k), b.view.column(k));
            const double off = std::abs(report.componentwise[static_cast<std::size_t>(k)] - error);
            CHECK(off <= 0.01 * error + 10 * epsilon_of<double>());
        }
        improved_before = improved_before || report.componentwise[0] < 0.5;
    }
    CHECK(improved_before);
}

TEST_CASE("the bytes that GMRES takes: its vectors and little more") {
    const count_t vector = 1000000 * count_t{8};
    CHECK(gmres_bytes<double>(1000000, 30) >= 66 * vector);
    CHECK(gmres_bytes<double>(1000000, 30) < 67 * vector);
    CHECK(gmres_bytes<double>(1000000, 4) < 15 * vector);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "refine_problem.hpp"
#include "scalar_lists.hpp"
#include "tridiagonal.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

/// (1 - share) A^-1: every step multiplies the error by `share`.
DenseMatrix damped_inverse(const DenseMatrix& a, long double share) {
    DenseMatrix inverse = inverse_of(a);
    for (Wide& v : inverse.data) v *= 1 - share;
    return inverse;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("converges to the target at the rate of the perturbation", T, convergence_rate) {
    const SparseMatrix<T> a = random_grid<T>(6, Symmetry::general, true, 7);
    for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
        const DenseMatrix oa = apply_operation(dense(a), op);
        const LinearSystem<T> system = system_of(a, op);
        Columns<T> b(36, 3), x(36, 3);
        b.fill_random(4);
        RefinementOptions options;
        options.max_steps = 40;
        const RefinementReport report =
            refine<T>(system, b.view, apply_dense<T>(damped_inverse(oa, 1e-3L)), x.view, options);
        CHECK(report.all_converged());
        // 1e-3^s <= 10 eps
        const int expected = static_cast<int>(std::ceil(std::log(10 * epsilon_of<T>()) / std::log(1e-3)));
        CHECK(report.steps >= expected - 1);
        CHECK(report.steps <= expected + 1);
        for (index_t k = 0; k < 3; ++k) {
            const double measured = oracle_error(oa, x.view.column(k), b.view.column(k));
            // residual of 5-point rows: 6 terms, 2 roundings each, 4 times that when complex
            CHECK(measured <= report.componentwise[static_cast<std::size_t>(k)] + 50 * epsilon_of<T>());
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(convergence_rate, Scalars);

TEST_CASE("columns stop independently; one that is good from the start is not touched") {
    const SparseMatrix<double> a = random_grid<double>(6, Symmetry::symmetric, true, 7);
    const DenseMatrix d = dense(a);
    const LinearSystem<double> system = system_of(a, Operation::none);
    Columns<double> b(36, 5), x(36, 5);
    b.fill_random(4);
    const DenseMatrix exact = solve_dense(d, widened(b.view));
    for (index_t i = 0; i < 36; ++i) {
        x.view(i, 1) = narrow<double>(exact(i, 1));
        x.view(i, 3) = narrow<double>(exact(i, 3)) * (1 + 1e-9);
    }
    const std::vector<double> before(x.view.column(1), x.view.column(1) + 36);
    index_t widest = 0, calls = 0, narrow_calls = 0;
    const ApplyBlock<double> inverse = apply_dense<double>(damped_inverse(d, 1e-2L));
    const ApplyBlock<double> counting = [&](DenseView<double> v) {
        widest = std::max(widest, v.cols);
        narrow_calls += v.cols == 3 ? 1 : 0;
        ++calls;
        inverse(v);
    };
    const RefinementReport report = refine<double>(system, b.view, counting, x.view);
    CHECK(report.all_converged());
    CHECK(widest == 4);  // column 1 never took part
    CHECK(narrow_calls >= 2);  // column 3 left earlier than the others
    CHECK(calls == report.steps);
    CHECK(std::equal(before.begin(), before.end(), x.view.column(1)));
}

TEST_CASE("the width of the blocks changes nothing") {
    const SparseMatrix<double> a = random_grid<double>(6, Symmetry::general, true, 9);
    const LinearSystem<double> system = system_of(a, Operation::none);
    const ApplyBlock<double> inverse = apply_dense<double>(damped_inverse(dense(a), 1e-2L));
    Columns<double> b(36, 7), wide(36, 7), thin(36, 7);
    b.fill_random(4);
    const RefinementReport one = refine<double>(system, b.view, inverse, wide.view);
    RefinementOptions options;
    options.block_columns = 2;
    const RefinementReport other = refine<double>(system, b.view, inverse, thin.view, options);
    CHECK(wide.values == thin.values);
    CHECK(one.componentwise == other.componentwise);
    CHECK(one.steps == other.steps);
}

TEST_CASE("the best iterate is kept when steps make it worse") {
    const SparseMatrix<double> a = random_grid<double>(5, Symmetry::general, true, 9);
    const LinearSystem<double> system = system_of(a, Operation::none);
    Columns<double> b(25, 2), x(25, 2);
    b.fill_random(4);
    x.fill_random(5);
    const std::vector<double> before = x.values;
    const DenseMatrix wrong = damped_inverse(dense(a), 3);  // -2 A^-1: the error triples each step
    const RefinementReport report = refine<double>(system, b.view, apply_dense<double>(wrong), x.view);
    CHECK(report.steps == 1);
    CHECK_FALSE(report.all_converged());
    CHECK(x.values == before);
    for (index_t k = 0; k < 2; ++k)
        CHECK(report.componentwise[static_cast<std::size_t>(k)] ==
              doctest::Approx(oracle_error(dense(a), x.view.column(k), b.view.column(k))));
}

TEST_CASE("slow convergence stops at the first step that does not halve the error") {
    const SparseMatrix<double> a = random_grid<double>(5, Symmetry::general, true, 9);
    const LinearSystem<double> system = system_of(a, Operation::none);
    Columns<double> b(25, 1), x(25, 1);
    b.fill_random(4);
    const ApplyBlock<double> inverse = apply_dense<double>(damped_inverse(dense(a), 0.9L));
    const RefinementReport report = refine<double>(system, b.view, inverse, x.view);
    CHECK(report.steps <= 3);
    CHECK_FALSE(report.all_converged());
    CHECK(report.componentwise[0] < 1);
    CHECK(report.componentwise[0] == doctest::Approx(oracle_error(dense(a), x.view.column(0), b.view.column(0))));
}

TEST_CASE("max_steps is kept; 0 only measures") {
    const SparseMatrix<double> a = random_grid<double>(5, Symmetry::general, true, 9);
    const LinearSystem<double> system = system_of(a, Operation::none);
    const ApplyBlock<double> inverse = apply_dense<double>(damped_inverse(dense(a), 0.3L));
    for (const index_t steps : {0, 1, 4}) {
        Columns<double> b(25, 2, 1.0), x(25, 2);
        RefinementOptions options;
        options.max_steps = steps;
        const RefinementReport report = refine<double>(system, b.view, inverse, x.view, options);
        CHECK(report.steps == steps);
        CHECK(report.componentwise.size() == 2);
        if (steps == 0) CHECK(x.values == std::vector<double>(50, 0.0));
    }
}

TEST_CASE_TEMPLATE_DEFINE("graded rows: small equations are solved as well as large ones", T, graded_rows) {
    SparseMatrix<T> a = random_grid<T>(6, Symmetry::general, true, 7);
    for (std::size_t e = 0; e < a.value.size(); ++e) a.value[e] *= std::pow(10.0, a.pattern.row[e] % 25 - 12);
    const LinearSystem<T> system = system_of(a, Operation::none);
    Columns<T> b(36, 1), x(36, 1);
    b.fill_random(4);
    for (index_t i = 0; i < 36; ++i) b.view(i, 0) *= std::pow(10.0, i % 25 - 12);
    // An inverse that is wrong in norm only by 1e-6, but wrong in every small equation.
    DenseMatrix m = dense(a);
    Random random(3);
    for (Wide& v : m.data) v *= 1 + 1e-6L * static_cast<long double>(random.value<double>());
    const RefinementReport report = refine<T>(system, b.view, apply_dense<T>(inverse_of(m)), x.view);
    CHECK(report.all_converged());
    CHECK(oracle_error(dense(a), x.view.column(0), b.view.column(0)) <= 60 * epsilon_of<T>());
}

TEST_CASE_TEMPLATE_APPLY(graded_rows, DoubleScalars);

TEST_CASE("a singular matrix: no hang, an honest error, nothing made worse") {
    const SparseMatrix<double> a =
        from_table<double>(3, {{{0, 0}, 1.0}, {{0, 1}, 1.0}, {{2, 2}, 1.0}}, Symmetry::general);
    const LinearSystem<double> system = system_of(a, Operation::none);
    const double inf = std::numeric_limits<double>::infinity();
    const ApplyBlock<double> inverse = [&](DenseView<double> v) {
        for (index_t i = 0; i < v.rows; ++i) v(i, 0) = v(i, 0) / 0.0;
    };
    Columns<double> b(3, 1, 1.0), x(3, 1);
    b.view(1, 0) = 2.0;  // x_0 = 1 and x_0 = 2
    RefinementReport report = refine<double>(system, b.view, inverse, x.view);
    CHECK_FALSE(report.all_converged());
    CHECK(report.componentwise[0] == 1);
    gmres<double>(system, b.view, inverse, x.view, {}, report);
    CHECK_FALSE(report.all_converged());
    CHECK(x.values == std::vector<double>(3, 0.0));
    x.view(0, 0) = inf;
    report = refine<double>(system, b.view, inverse, x.view);
    CHECK(report.componentwise[0] == inf);
    CHECK(report.converged[0] == 0);
}

TEST_CASE("pieces of rows in any order: the same bits as one loop") {
    const index_t n = 70000;  // long enough for three pieces
    const SparseMatrix<double> a = tridiagonal(n, 3, -1);
    count_t calls = 0, chunks_run = 0;
    const ParallelFor reversed = [&](count_t chunks, const std::function<void(count_t)>& body) {
        ++calls;
        for (count_t c = chunks - 1; c >= 0; --c, ++chunks_run) body(c);
    };
    const ApplyBlock<double> inverse = [&](DenseView<double> v) {
        for (index_t k = 0; k < v.cols; ++k)
            for (index_t i = 0; i < n; ++i) v(i, k) = 0.45 * v(i, k);
    };
    const LinearSystem<double> plain = system_of(a, Operation::none);
    const LinearSystem<double> pieces = system_of(a, Operation::none, nullptr, reversed);
    Columns<double> b(n, 2), x(n, 2), y(n, 2);
    b.fill_random(3);
    const RefinementReport one = refine<double>(plain, b.view, inverse, x.view);
    const RefinementReport other = refine<double>(pieces, b.view, inverse, y.view);
    CHECK(one.steps >= 1);
    CHECK(one.componentwise == other.componentwise);
    CHECK(one.normwise == other.normwise);
    CHECK(x.values == y.values);
    CHECK(chunks_run > 2 * calls);
    for (index_t k = 0; k < 2; ++k) {
        double worst = 0;  // the definition, row by row
        for (index_t i = 0; i < n; ++i) {
            const auto at = [&](index_t r) { return r < 0 || r >= n ? 0.0 : x.view(r, k); };
            const double d = 3 + 1e-3 * (i % 7);
            const double r = b.view(i, k) - d * at(i) + at(i - 1) + at(i + 1);
            worst = std::max(worst, std::abs(r) / (std::abs(b.view(i, k)) + std::abs(d * at(i)) + std::abs(at(i - 1)) +
                                                   std::abs(at(i + 1))));
        }
        CHECK(one.componentwise[static_cast<std::size_t>(k)] == doctest::Approx(worst));
    }
}

TEST_CASE("a step that memory is refused to is the last; the errors are those of X") {
    const SparseMatrix<double> a = random_grid<double>(4, Symmetry::general, true, 9);
    const DenseMatrix d = dense(a);
    DenseMatrix m = d;
    for (index_t i = 0; i < 16; ++i) m(i, i) *= 1.3L;
    const ApplyBlock<double> good = apply_dense<double>(inverse_of(m));
    const LinearSystem<double> system = system_of(a, Operation::none);
    Columns<double> b(16, 3);
    b.fill_random(8);
    for (int allowed = 0; allowed < 4; ++allowed) {
        int applied = 0;
        const ApplyBlock<double> failing = [&](DenseView<double> v) {
            if (applied++ == allowed) throw OutOfMemory("refused");
            good(v);
        };
        Columns<double> x(16, 3);
        RefinementOptions options;
        options.block_columns = 2;
        const RefinementReport report = refine<double>(system, b.view, failing, x.view, options);
        CHECK(report.ran_out_of_memory);
        CHECK(report.steps >= std::min(allowed, 1));
        REQUIRE(report.componentwise.size() == 3);
        for (index_t k = 0; k < 3; ++k) {
            const double error = oracle_error(d, x.view.column(k), b.view.column(k));
            const double off = std::abs(report.componentwise[static_cast<std::size_t>(k)] - error);
            CHECK(off <= 0.01 * error + 10 * epsilon_of<double>());
        }
    }
}

TEST_CASE("no right-hand sides; cancellation; a wrong shape") {
    const SparseMatrix<double> a = random_grid<double>(3, Symmetry::general, true, 9);
    const LinearSystem<double> system = system_of(a, Operation::none);
    const ApplyBlock<double> inverse = apply_dense<double>(identity(9));
    RefinementReport report = refine<double>(system, {nullptr, 9, 0, 9}, inverse, {nullptr, 9, 0, 9});
    CHECK(report.componentwise.empty());
    CHECK(report.all_converged());
    gmres<double>(system, {nullptr, 9, 0, 9}, inverse, {nullptr, 9, 0, 9}, {}, report);
    CHECK(report.krylov_iterations == 0);
    const std::atomic<bool> cancel = true;
    RefinementOptions options;
    options.cancel = &cancel;
    Columns<double> b(9, 1, 1.0), x(9, 1);
    CHECK_THROWS_AS(refine<double>(system, b.view, inverse, x.view, options), Cancelled);
    CHECK_THROWS_AS(refine<double>(system, {nullptr, 9, 0, 9}, inverse, x.view), InvalidArgument);
}

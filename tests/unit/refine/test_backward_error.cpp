// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "refine_problem.hpp"
#include "scalar_lists.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
BackwardError error_of(const SparseMatrix<T>& a, Operation op, std::vector<T> x, std::vector<T> b) {
    const LinearSystem<T> system = system_of(a, op);
    const index_t n = a.rows();
    Columns<T> r(n, 1);
    return backward_errors<T>(system, {x.data(), n, 1, n}, {b.data(), n, 1, n}, r.view)[0];
}

SparseMatrix<double> two_by_two() {
    return from_table<double>(2, {{{0, 0}, 2.0}, {{0, 1}, -1.0}, {{1, 1}, 4.0}}, Symmetry::general);
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("by hand: A = (2 0; -1 4), x = (1, 1), b = (3, 2)") {
    // r = (1, -1), |A||x| + |b| = (5, 7), ||A|| = 5
    const BackwardError e = error_of<double>(two_by_two(), Operation::none, {1, 1}, {3, 2});
    CHECK(e.componentwise == 1.0 / 5);
    CHECK(e.normwise == 1.0 / 8);
    // A^T = (2 -1; 0 4): r = (2, -2), weights (6, 6), ||A^T|| = 4
    const BackwardError t = error_of<double>(two_by_two(), Operation::transpose, {1, 1}, {3, 2});
    CHECK(t.componentwise == 2.0 / 6);
    CHECK(t.normwise == 2.0 / 7);
}

TEST_CASE_TEMPLATE_DEFINE("componentwise error against extended precision, all operations", T, componentwise_error) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
        const SparseMatrix<T> a = random_grid<T>(6, symmetry, false, 3);
        for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
            const LinearSystem<T> system = system_of(a, op);
            Columns<T> x(36, 4), b(36, 4), r(36, 4);
            x.fill_random(1);
            b.fill_random(2);
            const DenseMatrix oa = apply_operation(dense(a), op);
            const auto errors = backward_errors<T>(system, x.view, b.view, r.view);
            CHECK(system.norm() == doctest::Approx(row_sum_norm(oa)).epsilon(10 * epsilon_of<T>()));
            for (index_t k = 0; k < 4; ++k)
                CHECK(errors[static_cast<std::size_t>(k)].componentwise ==
                      doctest::Approx(oracle_error(oa, x.view.column(k), b.view.column(k)))
                          .epsilon(40 * epsilon_of<T>()));
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(componentwise_error, Scalars);

TEST_CASE("NaN and infinity in x never look like a small error") {
    for (const double bad : {not_a_number, infinite, -infinite}) {
        const BackwardError e = error_of<double>(two_by_two(), Operation::none, {bad, 1}, {3, 2});
        CHECK(e.componentwise == infinite);
        CHECK(e.normwise == infinite);
    }
    // Column 1 is empty: the residual does not see x_1.
    const SparseMatrix<double> a = from_table<double>(2, {{{0, 0}, 1.0}}, Symmetry::general);
    const BackwardError e = error_of<double>(a, Operation::none, {1, infinite}, {1, 0});
    CHECK(e.componentwise == infinite);
    CHECK(e.normwise == infinite);
    CHECK(error_of<double>(a, Operation::none, {1, 5}, {not_a_number, 0}).componentwise == infinite);
}

TEST_CASE("zero right-hand side and solution: no error; a zero row with b != 0: error 1") {
    CHECK(error_of<double>(two_by_two(), Operation::none, {0, 0}, {0, 0}).componentwise == 0);
    CHECK(error_of<double>(two_by_two(), Operation::none, {0, 0}, {0, 0}).normwise == 0);
    const SparseMatrix<double> a = from_table<double>(2, {{{0, 0}, 1.0}}, Symmetry::general);
    CHECK(error_of<double>(a, Operation::none, {1, 0}, {1, 2}).componentwise == 1);
}

TEST_CASE("an equation with a tiny denominator is judged against the norm of x") {
    // Row 1 is x_1 = 0, and x_1 = 1e-30 instead: |r| / (|A||x| + |b|) = 1, yet nothing is wrong.
    const SparseMatrix<double> a = from_table<double>(2, {{{0, 0}, 1.0}, {{1, 1}, 1.0}}, Symmetry::general);
    const BackwardError e = error_of<double>(a, Operation::none, {1, 1e-30}, {1, 0});
    CHECK(is_near(e.componentwise, 1e-30, rounding_bound<double>(10)));
    // A large one stays an error: 1e-3 is beyond rounding.
    CHECK(error_of<double>(a, Operation::none, {1, 1e-3}, {1, 0}).componentwise == 1);
}

TEST_CASE("badly scaled unknowns: with their scale small ones are not forgiven") {
    // x = (1, 0), while row 1 wants x_1 = 1e-16.
    constexpr double wanted = 1e-16;
    const SparseMatrix<double> a =
        from_table<double>(2, {{{0, 0}, 1.0}, {{0, 1}, 1e-14}, {{1, 1}, 1.0}}, Symmetry::general);
    Columns<double> x(2, 1), b(2, 1), r(2, 1);
    x.view(0, 0) = b.view(0, 0) = 1;
    b.view(1, 0) = 1e-14 + wanted;
    const LinearSystem<double> plain = system_of(a, Operation::none);
    CHECK(backward_errors<double>(plain, x.view, b.view, r.view)[0].componentwise <= 1.1 * wanted);
    const std::vector<double> scale = {1, 1e-14};
    const LinearSystem<double> scaled = system_of(a, Operation::none, &scale);
    CHECK(backward_errors<double>(scaled, x.view, b.view, r.view)[0].componentwise ==
          doctest::Approx(1e-16 / 2.01e-14));
    const std::vector<double> wrong = {1};
    CHECK_THROWS_AS(system_of(a, Operation::none, &wrong), InvalidArgument);
}

TEST_CASE("no right-hand sides, no rows") {
    const SparseMatrix<double> a = two_by_two();
    const LinearSystem<double> system = system_of(a, Operation::none);
    CHECK(backward_errors<double>(system, {nullptr, 2, 0, 2}, {nullptr, 2, 0, 2}, {nullptr, 2, 0, 2}).empty());
    const SparseMatrix<double> none = from_table<double>(0, {}, Symmetry::general);
    CHECK(system_of(none, Operation::none).norm() == 0);
}

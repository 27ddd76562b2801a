// SPDX-License-Identifier: BSD-3-Clause
// Dense systems against LAPACK: kinds, scalars, leading dimensions, triangles, operations.
#include "dense_systems.hpp"
#include "frond/frond.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t order = 190, leading = 197, rhs = 3;

AnalysisOptions with_tiles(Factorization kind, index_t tile) {
    AnalysisOptions options;
    options.factorization = kind;
    options.tile_size = tile;
    return options;
}

template <class T>
DenseMatrixView<T> view_of(const std::vector<T>& array, Symmetry symmetry, Triangle stored) {
    DenseMatrixView<T> view{order, array.data(), leading};
    view.symmetry = symmetry;
    view.stored = stored;
    return view;
}

/// max |x - y| / max |y|
template <class T>
double distance(const std::vector<T>& x, const std::vector<T>& y) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double d = std::abs(std::complex<double>(x[i]) - std::complex<double>(y[i]));
        if (!(d <= difference)) difference = d;  // NaN stays
        size = std::max(size, static_cast<double>(std::abs(y[i])));
    }
    return difference / size;
}

/// Both are within condition times rounding of the solution.
template <class T>
void check_solution(DenseSystem<T>& system, Factorization kind, Triangle stored, index_t tile) {
    CAPTURE(to_string(kind));
    CAPTURE(static_cast<int>(stored));
    CAPTURE(tile);
    const std::vector<T> array = system.array(leading, stored);
    const std::vector<T> b = random_values<T>(std::size_t{order} * rhs, 3);
    std::vector<T> x(b.size());
    Solver<T> solver(shared_session(), with_tiles(kind, tile));
    const FactorReport& factors = solver.factor(view_of(array, system.symmetry, stored));
    CHECK(factors.status == FactorStatus::success);
    CHECK(factors.factorization == kind);
    const SolveReport report = solver.solve({b.data(), order, rhs}, BlockView<T>{x.data(), order, rhs});
    CHECK(report.status == SolveStatus::converged);
    for (index_t k = 0; k < rhs; ++k)
        CHECK(system.error(Operation::none, x.data() + k * order, b.data() + k * order) <=
              rounding_bound<T>(order) + report.componentwise_backward_error);
    CHECK(report.componentwise_backward_error <= rounding_bound<T>(order));
    if (kind == Factorization::ldlh) return;  // LAPACK's driver for it has no common name
    const ConditionEstimate condition = condition_estimate(solver.factors());
    const double bound = rounding_bound<T>(order) / condition.reciprocal_condition;
    CHECK(distance(x, lapack_solution(kind, order, system.a, b)) <= bound);
}

template <class T>
void check_kind(Symmetry symmetry, Factorization kind, double diagonal) {
    DenseSystem<T> system = DenseSystem<T>::random(order, symmetry, 5, diagonal);
    for (const index_t tile : {32, 80, 1000}) {
        if (symmetry == Symmetry::general) {
            check_solution(system, kind, Triangle::both, tile);
        } else {
            check_solution(system, kind, Triangle::lower, tile);
            check_solution(system, kind, Triangle::upper, tile);
        }
    }
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("dense L U is that of LAPACK", T, dense_lu) {
    check_kind<T>(Symmetry::general, Factorization::lu, 0);
    check_kind<T>(Symmetry::symmetric, Factorization::lu, 0);
}
TEST_CASE_TEMPLATE_APPLY(dense_lu, Scalars);

TEST_CASE_TEMPLATE_DEFINE("dense L L^H is that of LAPACK", T, dense_llt) {
    check_kind<T>(is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric, Factorization::llt, order);
}
TEST_CASE_TEMPLATE_APPLY(dense_llt, Scalars);

TEST_CASE_TEMPLATE_DEFINE("dense L D L^T and L D L^H", T, dense_ldlt) {
    check_kind<T>(Symmetry::symmetric, Factorization::ldlt, 0);
    if constexpr (is_complex<T>) check_kind<T>(Symmetry::hermitian, Factorization::ldlh, 0);
}
TEST_CASE_TEMPLATE_APPLY(dense_ldlt, Scalars);

TEST_CASE_TEMPLATE_DEFINE("dense A^T and A^H, products, and the matrix stays", T, dense_operations) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
        if (!is_complex<T> && symmetry == Symmetry::hermitian) continue;
        DenseSystem<T> system = DenseSystem<T>::random(order, symmetry, 11);
        const Triangle stored = symmetry == Symmetry::general ? Triangle::both : Triangle::upper;
        const std::vector<T> array = system.array(leading, stored), before = array;
        const std::vector<T> b = random_values<T>(order, 4);
        Solver<T> solver(shared_session(), with_tiles(Factorization::automatic, 48));
        solver.factor(view_of(array, symmetry, stored));
        for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
            CAPTURE(static_cast<int>(symmetry));
            CAPTURE(static_cast<int>(op));
            std::vector<T> x(b.size()), product(b.size());
            SolveOptions options;
            options.operation = op;
            const SolveReport report = solver.solve(b, x, options);
            CHECK(system.error(op, x.data(), b.data()) <=
                  rounding_bound<T>(order) + report.componentwise_backward_error);
            CHECK(report.status == SolveStatus::converged);
            solver.multiply(op, {x.data(), order}, {product.data(), order});
            CHECK(system.error(op, x.data(), product.data()) <= rounding_bound<T>(order));
        }
        for (std::size_t i = 0; i < array.size(); ++i)
            CHECK((array[i] == before[i] || std::isnan(std::abs(before[i]))));
    }
}
TEST_CASE_TEMPLATE_APPLY(dense_operations, Scalars);

TEST_CASE_TEMPLATE_DEFINE("dense automatic: L L^H where it may be, else what fits", T, dense_automatic) {
    const auto kind_of = [](Symmetry symmetry, double diagonal, index_t broken) {
        DenseSystem<T> system = DenseSystem<T>::random(order, symmetry, 2, diagonal);
        if (broken >= 0) system(broken, broken) = T(static_cast<real_t<T>>(1.5 * order));
        const std::vector<T> array = system.array(leading);
        Solver<T> solver(shared_session());
        return solver.factor(view_of(array, symmetry, Triangle::both)).factorization;
    };
    const Symmetry hermitian = is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric;
    CHECK(kind_of(Symmetry::general, order, -1) == Factorization::lu);
    CHECK(kind_of(hermitian, order, -1) == Factorization::llt);
    CHECK(kind_of(hermitian, 0, -1) == (is_complex<T> ? Factorization::ldlh : Factorization::ldlt));
    if (is_complex<T>) CHECK(kind_of(Symmetry::symmetric, order, -1) == Factorization::ldlt);

    // Every 2 x 2 minor is positive, yet an eigenvalue is 1 - 1.8.
    DenseSystem<T> system{3, hermitian, {T(1), T(-0.9), T(-0.9), T(-0.9), T(1), T(-0.9), T(-0.9), T(-0.9), T(1)}};
    DenseMatrixView<T> view{3, system.a.data()};
    view.symmetry = hermitian;
    Solver<T> solver(shared_session());
    const FactorReport& report = solver.factor(view);
    CHECK(report.fell_back_to_ldlt);
    REQUIRE(report.pivots.inertia);
    CHECK(report.pivots.inertia->negative == 1);
    CHECK(report.pivots.inertia->positive == 2);
}
TEST_CASE_TEMPLATE_APPLY(dense_automatic, Scalars);

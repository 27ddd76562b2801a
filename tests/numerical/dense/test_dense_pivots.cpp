// SPDX-License-Identifier: BSD-3-Clause
// What pivoting says of dense matrices: rank, inertia, determinant, columns that fail, status.
#include "dense_systems.hpp"
#include "frond/frond.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
AnalysisOptions small_tiles(Factorization kind = Factorization::automatic) {
    AnalysisOptions options;
    options.tile_size = 32;
    options.factorization = kind;
    return options;
}

template <class T>
DenseMatrixView<T> whole(const DenseSystem<T>& system) {
    DenseMatrixView<T> view{system.n, system.a.data()};
    view.symmetry = system.symmetry;
    return view;
}

/// X Y, or X D X^H with `negative` of the entries of D -1, of the rank.
template <class T>
DenseSystem<T> of_rank(index_t n, index_t rank, Symmetry symmetry, index_t negative = 0) {
    const auto x = random_values<T>(static_cast<std::size_t>(n) * static_cast<std::size_t>(rank), 21);
    const auto y = random_values<T>(static_cast<std::size_t>(n) * static_cast<std::size_t>(rank), 22);
    DenseSystem<T> s{n, symmetry, std::vector<T>(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), T(0))};
    const auto at = [n](index_t i, index_t k) { return static_cast<std::size_t>(i + k * n); };
    for (index_t j = 0; j < n; ++j)
        for (index_t i = 0; i < n; ++i)
            for (index_t k = 0; k < rank; ++k) {
                const T d(static_cast<real_t<T>>(k < negative ? -1 : 1));
                s(i, j) += symmetry == Symmetry::general     ? x[at(i, k)] * y[at(j, k)]
                           : symmetry == Symmetry::symmetric ? x[at(i, k)] * d * x[at(j, k)]
                                                             : x[at(i, k)] * d * conjugate(x[at(j, k)]);
            }
    return s;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("singular dense matrices: rank, and solutions where there is one", T, dense_singular) {
    constexpr index_t n = 120, rank = 97;
    // X X^T of complex X may be near a lower rank, X X^H is not.
    for (const Symmetry symmetry : {Symmetry::general, is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric}) {
        CAPTURE(static_cast<int>(symmetry));
        DenseSystem<T> system = of_rank<T>(n, rank, symmetry);
        const Factorization kind = symmetry == Symmetry::general ? Factorization::lu
                                   : is_complex<T>               ? Factorization::ldlh
                                                                 : Factorization::ldlt;
        Solver<T> solver(shared_session(), small_tiles<T>(kind));
        const FactorReport& report = solver.factor(whole(system));
        CHECK(report.status == FactorStatus::singular);
        CHECK(report.pivots.small_columns.size() == std::size_t{n - rank});
        CHECK(report.pivots.null_rows.size() == std::size_t{n - rank});
        const std::vector<T> known = random_values<T>(n, 6);
        std::vector<T> b(n), x(n);
        solver.multiply(Operation::none, {known.data(), n}, {b.data(), n});
        const SolveReport solved = solver.solve(b, x);
        CHECK(solved.backward_error <= rounding_bound<T>(n));
        const NullSpace<T> space = null_space(solver.factors());
        CHECK(space.dimension == n - rank);
        FactorOptions strict;
        strict.null_pivots = NullPivots::error;
        CHECK_THROWS_AS(solver.factor(whole(system), strict), SingularMatrix);
        CHECK_THROWS_AS(static_cast<void>(solver.solve(b, x)), InvalidArgument);  // there are no factors any more
    }
}
TEST_CASE_TEMPLATE_APPLY(dense_singular, DoubleScalars);

TEST_CASE_TEMPLATE_DEFINE("inertia of dense matrices", T, dense_inertia) {
    constexpr index_t n = 100, negative = 37;
    DenseSystem<T> system = of_rank<T>(n, n, is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric, negative);
    const Factorization kind = is_complex<T> ? Factorization::ldlh : Factorization::ldlt;
    Solver<T> solver(shared_session(), small_tiles<T>(kind));
    const FactorReport& report = solver.factor(whole(system));
    REQUIRE(report.pivots.inertia);
    CHECK(report.pivots.inertia->negative == negative);
    CHECK(report.pivots.inertia->zero == 0);
    CHECK(report.pivots.inertia->positive == n - negative);
    Solver<T> definite(shared_session(), small_tiles<T>(Factorization::llt));
    CHECK(definite.factor(whole(system)).status == FactorStatus::not_positive_definite);
}
TEST_CASE_TEMPLATE_APPLY(dense_inertia, DoubleScalars);

TEST_CASE_TEMPLATE_DEFINE("determinant of dense matrices", T, dense_determinant) {
    // Triangular but for a permutation of rows that is one long cycle: det = (-1)^(n - 1) prod d.
    constexpr index_t n = 75;
    DenseSystem<T> system{n, Symmetry::general, std::vector<T>(std::size_t{n} * n, T(0))};
    double log_abs = 0;
    for (index_t j = 0; j < n; ++j) {
        for (index_t i = 0; i < j; ++i) system((i + 1) % n, j) = T(0.5);
        system((j + 1) % n, j) = T(static_cast<real_t<T>>(1 + j % 3));
        log_abs += std::log(1 + j % 3);
    }
    Solver<T> solver(shared_session(), small_tiles<T>());
    solver.factor(whole(system));
    const auto determinant = solver.factors().log_determinant();
    REQUIRE(determinant);
    CHECK(is_near(determinant->log_abs, log_abs, rounding_bound<T>(n)));
    CHECK(std::abs(determinant->phase - T(1)) <= rounding_bound<T>(n));  // n is odd
}
TEST_CASE_TEMPLATE_APPLY(dense_determinant, Scalars);

TEST_CASE_TEMPLATE_DEFINE("dense matrices without pivots in diagonal tiles exchange rows", T, dense_failing) {
    constexpr index_t n = 150;
    for (const bool is_smooth : {false, true}) {
        CAPTURE(is_smooth);
        DenseSystem<T> system = DenseSystem<T>::random(n, Symmetry::general, 9);
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < n; ++i)
                if (is_smooth)  // the sine transform, which is orthogonal: a leading tile is nearly singular
                    system(i, j) = T(static_cast<real_t<T>>(std::sin(3.14159265358979 * (i + 1) * (j + 1) / (n + 1))));
                else
                    system(i, j) = system(i, j) * T(static_cast<real_t<T>>(1e-3)) + T((j + n / 2) % n == i ? 1 : 0);
        Solver<T> solver(shared_session(), small_tiles<T>());
        const FactorReport& report = solver.factor(whole(system));
        CHECK(report.status == FactorStatus::success);
        CHECK(report.pivots.largest_l <= 100);
        CHECK(report.pivots.second_pass <= 5);  // by trial: 0 or 1; without exchanges nearly all
        const std::vector<T> b = random_values<T>(n, 6);
        for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
            std::vector<T> x(n);
            SolveOptions options;
            options.operation = op;
            const SolveReport solved = solver.solve(b, x, options);
            CHECK(solved.status == SolveStatus::converged);
            CHECK(system.error(op, x.data(), b.data()) <= solved.componentwise_backward_error + rounding_bound<T>(n));
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(dense_failing, Scalars);

TEST_CASE_TEMPLATE_DEFINE("badly scaled dense matrices are not singular", T, dense_scaled) {
    constexpr index_t n = 90;
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
        DenseSystem<T> system = DenseSystem<T>::random(n, symmetry, 17);
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < n; ++i)
                system(i, j) *= static_cast<real_t<T>>(std::ldexp(1.0, (i * 7 % 41 - 20) + (j * 7 % 41 - 20)));
        Solver<T> solver(shared_session(),
                         small_tiles<T>(symmetry == Symmetry::general ? Factorization::lu : Factorization::ldlt));
        CHECK(solver.factor(whole(system)).status == FactorStatus::success);
        const std::vector<T> b = random_values<T>(n, 6);
        std::vector<T> x(n);
        CHECK(solver.solve(b, x).status == SolveStatus::converged);
    }
}
TEST_CASE_TEMPLATE_APPLY(dense_scaled, Scalars);

TEST_CASE_TEMPLATE_DEFINE("static pivoting of a dense matrix escalates", T, dense_escalation) {
    // Leading minors of order 1 .. n - 1 in a tile of its own vanish, so that static pivots perturb.
    constexpr index_t n = 96;
    DenseSystem<T> system{n, Symmetry::symmetric, std::vector<T>(std::size_t{n} * n, T(0))};
    const auto x = random_values<T>(std::size_t{n} * n, 8);
    for (index_t j = 0; j < n; ++j)
        for (index_t i = j; i < n; ++i)
            if (i >= n / 2) system(i, j) = system(j, i) = x[static_cast<std::size_t>(i + j * n)];
    Solver<T> solver(shared_session(), small_tiles<T>(Factorization::ldlt));
    FactorOptions options;
    options.pivoting = Pivoting::static_pivots;
    CHECK(solver.factor(whole(system), options).status == FactorStatus::perturbed);
    const std::vector<T> b = random_values<T>(n, 6);
    std::vector<T> solution(n);
    SolveOptions solve_options;
    solve_options.krylov = Krylov::off;
    solve_options.max_refinement_steps = 1;
    solve_options.target_backward_error = 11 * epsilon<T>();
    const SolveReport report = solver.solve(b, solution, solve_options);
    CHECK(report.escalated);
    CHECK(solver.factor_report().pivoting == Pivoting::threshold);
    CHECK(solver.factor_report().escalated);
}
TEST_CASE_TEMPLATE_APPLY(dense_escalation, DoubleScalars);

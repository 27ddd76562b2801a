// SPDX-License-Identifier: BSD-3-Clause
// What solves, products and estimates give where no rank has the whole of A.
#include "distributed_solver.hpp"
#include "frond/condition.hpp"
#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"

#include <complex>

using namespace frond;
using namespace frond::test;

namespace {

/// Tolerances of sums in another order, and of estimates by factors.
constexpr double of_other_sums = 1e-14, of_other_factors = 1e-8;
/// Bounds by other factors and residuals.
constexpr double of_other_bounds = 30;

constexpr Operation operations[] = {Operation::none, Operation::transpose, Operation::adjoint};

SolveOptions with_operation(Operation operation) {
    SolveOptions options;
    options.operation = operation;
    return options;
}

template <class T>
void check_operations(const SparseMatrix<T>& a, const SomeRanks& ranks, const Session& session,
                      Factorization kind = Factorization::automatic) {
    Solver<T> solver(session, distributed(kind));
    solver.factor(dealt(a, ranks).view());
    for (const Operation operation : operations) {
        CAPTURE(static_cast<int>(operation));
        for (const index_t count : {1, 5}) check_right(solver, a, ranks, count, with_operation(operation));
        std::vector<T> y = simple_rhs(a, 2), image(y.size()), expected(y.size());
        multiply(a, operation, 2, y.data(), a.rows(), expected.data(), a.rows());
        solver.multiply(operation, whole_on<const T>(ranks, ranks.last(), y, a.rows(), 2),
                        whole_on<T>(ranks, 0, image, a.rows(), 2));
        double largest = 0, difference = 0;
        for (std::size_t i = 0; i < y.size() && ranks.rank() == 0; ++i) {
            largest = std::max(largest, static_cast<double>(std::abs(expected[i])));
            difference = std::max(difference, static_cast<double>(std::abs(image[i] - expected[i])));
        }
        CHECK(difference <= accepted<T>() * largest);
    }
}

}  // namespace

TEST_SUITE_BEGIN(needs_distribution);

TEST_CASE("distributed analysis: A, A^T and A^H, one right-hand side and several, and products") {
    on_distributed_fronts([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        check_operations(convdiff3d<double>(13).matrix, ranks, session);
        check_operations(kkt<double>(5).matrix, ranks, session);
        check_operations(poisson3d<double>(7).matrix, ranks, session);
#if FROND_SCALAR_Z
        using Z = std::complex<double>;
        check_operations(random_sparse<Z>(200, 3, Symmetry::general, true, 7), ranks, session);
        check_operations(random_sparse<Z>(200, 3, Symmetry::symmetric, true, 8), ranks, session);
        check_operations(random_sparse<Z>(200, 3, Symmetry::hermitian, false, 9), ranks, session);
        check_operations(random_sparse<Z>(200, 3, Symmetry::hermitian, true, 10), ranks, session);
        check_operations(random_sparse<Z>(200, 3, Symmetry::symmetric, true, 11), ranks, session, Factorization::lu);
#endif
    });
}

// Also of equilibrated matrices: vectors between the parts are those of the scaled one.
TEST_CASE("distributed analysis: parts of a solve, one after the other, are the whole one") {
    on_distributed_fronts([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        for (const SparseMatrix<double>& a : {poisson3d<double>(15).matrix, kkt<double>(5).matrix,
                                              random_sparse<double>(200, 3, Symmetry::general, true, 3)}) {
            Solver<double> solver(session, distributed());
            solver.factor(dealt(a, ranks).view());
            const index_t n = a.rows();
            std::vector<double> x = simple_rhs(a, 2);
            SolveOptions options;
            options.max_refinement_steps = 0;
            options.krylov = Krylov::off;
            const Solved<double> whole = solved(solver, a, ranks, 2, options);
            for (const SolvePart part : {SolvePart::forward, SolvePart::diagonal, SolvePart::backward}) {
                options.part = part;
                const SolveReport report = solver.solve(whole_on<const double>(ranks, 0, x, n, 2),
                                                        whole_on<double>(ranks, 0, x, n, 2), options);
                CHECK(report.status == SolveStatus::not_measured);
            }
            if (ranks.rank() == 0) CHECK(x == whole.x);
        }
    });
}

TEST_CASE("distributed analysis: B and X by maps of rows") {
    on_distributed([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(6).matrix;
        const index_t n = a.rows();
        Solver<double> solver(ranks.session(), distributed());
        solver.factor(dealt(a, ranks).view());
        // B dealt like cards, from behind; of X the rows of each rank and the first one.
        const std::vector<double> b = simple_rhs(a, 1);
        std::vector<index_t> b_rows, x_rows{0};
        std::vector<double> own_b;
        for (index_t i = n - 1; i >= 0; --i) {
            if (i % ranks.size() != ranks.rank()) continue;
            b_rows.push_back(i);
            own_b.push_back(b[static_cast<std::size_t>(i)]);
        }
        for (index_t i = 1; i < n; ++i)
            if ((i / 7) % ranks.size() == ranks.rank()) x_rows.push_back(i);
        std::vector<double> own_x(x_rows.size());
        const SolveReport report =
            solver.solve(BlockView<const double>{own_b.data(), static_cast<count_t>(own_b.size()), 1, 0, b_rows.data()},
                         BlockView<double>{own_x.data(), static_cast<count_t>(own_x.size()), 1, 0, x_rows.data()});
        CHECK(report.status == SolveStatus::converged);
        const Solved<double> whole = solved(solver, a, ranks, 1);
        CHECK(whole.error <= accepted<double>());
        for (std::size_t k = 0; k < x_rows.size(); ++k) CHECK(own_x[k] == whole.x[static_cast<std::size_t>(x_rows[k])]);
    });
}

TEST_CASE("distributed analysis: bounds of errors and conditions are those of a solver on rank 0") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        for (const SparseMatrix<double>& a :
             {poisson3d<double>(7).matrix, kkt<double>(5).matrix, convdiff3d<double>(6).matrix}) {
            Solver<double> solver(session, distributed()), whole(session, on_rank_0(distributed()));
            solver.factor(dealt(a, ranks).view());
            whole.factor(dealt(a, ranks).view());
            const ConditionEstimate found = solver.condition(), expected = whole.condition();
            CHECK(found.norm_1 == doctest::Approx(expected.norm_1).epsilon(of_other_sums));
            CHECK(found.inverse_norm_1 == doctest::Approx(expected.inverse_norm_1).epsilon(of_other_factors));
            CHECK(found.skeel_condition == doctest::Approx(expected.skeel_condition).epsilon(of_other_factors));
            CHECK(is_same_everywhere(ranks, std::to_string(found.skeel_condition)));
            SolveOptions options;
            options.forward_error = true;
            const Solved<double> here = solved(solver, a, ranks, 5, options),
                                 there = solved(whole, a, ranks, 5, options);
            REQUIRE(here.report.forward_error.has_value());
            REQUIRE(there.report.forward_error.has_value());
            double largest = 0, error = 0;  // of the simple X that B is made of
            for (std::size_t i = 0; i < here.x.size(); ++i) {
                const double exact = static_cast<double>(1 + i * 7 % 11);
                largest = std::max(largest, exact);
                error = std::max(error, std::abs(here.x[i] - exact));
            }
            CHECK(error / largest <= *here.report.forward_error);
            CHECK(*here.report.forward_error < of_other_bounds * *there.report.forward_error);
            CHECK(here.report.condition_hint.has_value() == there.report.condition_hint.has_value());
        }
    });
}

TEST_SUITE_END();

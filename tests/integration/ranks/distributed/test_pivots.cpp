// SPDX-License-Identifier: BSD-3-Clause
// Pivots of a matrix of which no rank has the whole: delays, inertia, determinant, null vectors, other ways where the first
// one fails.
#include "distributed_solver.hpp"
#include "frond/condition.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/null_space.hpp"
#include "singular_systems.hpp"
#include "trouble_systems.hpp"

#include <cmath>
#include <numbers>

using namespace frond;
using namespace frond::test;

namespace {

/// Triangles with -0.9 off the diagonal: positive minors of order 2, one eigenvalue 1 - 1.8 each.
SparseMatrix<double> hardly_indefinite(index_t triangles) {
    EntryTable<double> table;
    for (index_t t = 0; t < triangles; ++t)
        for (index_t j = 0; j < 3; ++j)
            for (index_t i = j; i < 3; ++i) table[{3 * t + j, 3 * t + i}] = i == j ? 1.0 : -0.9;
    for (index_t t = 0; t + 1 < triangles; ++t) table[{3 * t, 3 * t + 3}] = 0.01;
    return from_table(3 * triangles, table, Symmetry::symmetric);
}

/// The tolerance of sums of logarithms in another order.
constexpr double of_another_order = 1e-11;
/// The tolerance of what a null vector leaves: roundings of some hundred operations with entries of A of some units.
constexpr double rounding_of_null_vectors = 1e-11;

void check_determinant(const Solver<double>& solver, const SomeRanks& ranks, double log_abs, double sign) {
    if (ranks.rank() > 0) return;
    const auto determinant = solver.factors().log_determinant();
    REQUIRE(determinant.has_value());
    CHECK(determinant->log_abs == doctest::Approx(log_abs).epsilon(of_another_order));
    CHECK(determinant->phase == sign);
}

}  // namespace

TEST_SUITE_BEGIN(needs_distribution);

// Columns whose partners are in fronts of other ranks, or in fronts that ranks share.
TEST_CASE("distributed analysis: columns are delayed to fronts of other ranks") {
    const auto check = [](const SomeRanks& ranks) {
        const SparseMatrix<double> a = kkt<double>(12).matrix;
        Solver<double> solver(ranks.session(), distributed(Factorization::ldlt));
        const FactorReport report = solver.factor(dealt(a, ranks).view());
        CHECK(report.pivots.delayed > 0);
        check_right(solver, a, ranks, 2);
        index_t at_work = 0;
        for (const RankReport& r : solver.rank_reports()) at_work += r.flops > 0 ? 1 : 0;
        CHECK(at_work > 1);
        CHECK(solver.factor(dealt(a, ranks).view()).pivots.delayed == report.pivots.delayed);
    };
    on_distributed(check);
    on_distributed_fronts(check);
}

TEST_CASE("distributed analysis: planted trouble gives the inertia and the determinant of a solver on rank 0") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        for (const TroubleSystem<double>& trouble : trouble_systems<double>()) {
            CAPTURE(trouble.name);
            Solver<double> solver(session, distributed(trouble.kind)),
                whole(session, on_rank_0(distributed(trouble.kind)));
            const auto part = dealt(trouble.matrix, ranks);
            const FactorReport report = solver.factor(part.view()), expected = whole.factor(part.view());
            CHECK(report.status == expected.status);
            REQUIRE(report.pivots.inertia.has_value() == expected.pivots.inertia.has_value());
            if (report.pivots.inertia) {
                CHECK(report.pivots.inertia->negative == expected.pivots.inertia->negative);
                CHECK(report.pivots.inertia->zero == expected.pivots.inertia->zero);
                CHECK(report.pivots.inertia->positive == expected.pivots.inertia->positive);
            }
            if (ranks.rank() == 0) {
                const auto determinant = whole.factors().log_determinant();
                REQUIRE(determinant.has_value());
                check_determinant(solver, ranks, determinant->log_abs, determinant->phase);
            }
            check_right(solver, trouble.matrix, ranks);
        }
    });
}

TEST_CASE("distributed analysis: a determinant that is known") {
    constexpr index_t m = 40;
    double log_abs = 0;
    for (int i = 1; i <= m; ++i)
        for (int j = 1; j <= m; ++j)
            log_abs += std::log(4 - 2 * std::cos(std::numbers::pi * i / (m + 1)) -
                                2 * std::cos(std::numbers::pi * j / (m + 1)));
    on_distributed([&](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson2d<double>(m).matrix;
        const Session session = ranks.session();
        for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::lu}) {
            Solver<double> solver(session, distributed(kind));
            solver.factor(dealt(a, ranks).view());
            check_determinant(solver, ranks, log_abs, 1);
        }
    });
}

TEST_CASE("distributed analysis: null vectors, and singular matrices as errors") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
            const index_t nullity = 3;
            const SparseMatrix<double> a = scaled_laplacian<double>(240, nullity, symmetry, 5);
            Solver<double> solver(session, distributed(kind_of<double>(symmetry)));
            FactorOptions options;
            options.null_pivots = NullPivots::error;
            try {
                solver.factor(dealt(a, ranks).view(), options);
                FAIL_CHECK("no exception");
            } catch (const SingularMatrix& error) {
                CHECK(static_cast<index_t>(error.columns().size()) == nullity);
                CHECK(is_same_everywhere(ranks, error.what()));
            }
            CHECK(solver.factor(dealt(a, ranks).view()).status == FactorStatus::singular);
            for (const Operation operation : {Operation::none, Operation::transpose}) {
                const NullSpace<double> space = solver.null_vectors(operation);
                CHECK(space.dimension == nullity);
                CHECK(space.residual < rounding_of_null_vectors);
                if (ranks.rank() > 0) continue;
                std::vector<double> image(space.basis.size(), 1.0);
                multiply(a, operation, nullity, space.basis.data(), a.rows(), image.data(), a.rows());
                for (const double v : image) CHECK(std::abs(v) < rounding_of_null_vectors);
            }
            CHECK(solver.condition().reciprocal_condition == 0);
        }
    });
}

TEST_CASE("distributed analysis: L L^T of what only looks definite becomes L D L^T") {
    on_distributed([](const SomeRanks& ranks) {
        constexpr index_t triangles = 60;
        const SparseMatrix<double> a = hardly_indefinite(triangles);
        Solver<double> solver(ranks.session(), distributed());
        auto part = dealt(a, ranks);
        solver.analyze(part.view());
        if (ranks.rank() == 0) CHECK(solver.analysis()->factorization == Factorization::llt);
        const FactorReport report = solver.factor(part.view());
        CHECK(report.fell_back_to_ldlt);
        CHECK(report.factorization == Factorization::ldlt);
        REQUIRE(report.pivots.inertia.has_value());
        CHECK(report.pivots.inertia->negative == triangles);
        CHECK(report.pivots.inertia->positive == 2 * triangles);
        CHECK(is_distributed(solver, ranks));
        check_right(solver, a, ranks);
        // The next values are those of L D L^T from the beginning.
        for (double& v : part.value) v *= 3;
        CHECK(!solver.factor_values(part.value).fell_back_to_ldlt);
        check_right(solver, times(a, 3.0), ranks);

        Solver<double> definite(ranks.session(), distributed(Factorization::llt));
        CHECK(definite.factor(part.view()).status == FactorStatus::not_positive_definite);
        std::vector<double> b = simple_rhs(a, 1), x(b.size());
        const std::string text = message_of<InvalidArgument>([&] {
            static_cast<void>(definite.solve(whole_on<const double>(ranks, 0, b, a.rows(), 1),
                                             whole_on<double>(ranks, 0, x, a.rows(), 1)));
        });
        CHECK(contains(text, "not positive definite"));
        CHECK(is_same_everywhere(ranks, text));
    });
}

TEST_CASE("distributed analysis: static pivots that refinement cannot repair") {
    on_distributed([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = random_sparse<double>(150, 3, Symmetry::general, false, 6);
        Solver<double> solver(ranks.session(), distributed());
        for (const bool escalates : {true, false}) {
            FactorOptions hopeless;  // factors of another matrix
            hopeless.pivoting = Pivoting::static_pivots;
            hopeless.static_pivot_tolerance = 0.9;
            hopeless.escalate = escalates;
            CHECK(solver.factor(dealt(a, ranks).view(), hopeless).status == FactorStatus::perturbed);
            SolveOptions options;
            options.max_refinement_steps = 1;
            options.krylov = escalates ? Krylov::off : Krylov::automatic;
            const Solved<double> found = solved(solver, a, ranks, 2, options);
            CHECK(found.report.escalated == escalates);
            CHECK((found.report.krylov_iterations > 0) == !escalates);
            CHECK((found.report.status == SolveStatus::converged || !escalates));
            CHECK((found.error <= accepted<double>() || !escalates));
            CHECK((solver.factor_report().pivoting == Pivoting::threshold) == escalates);
            CHECK(std::abs(found.report.componentwise_backward_error - found.error) <=
                  rounding_of_errors * (1 + found.error));
            if (escalates) check_right(solver, a, ranks, 5);  // with the other factors from the beginning
        }
    });
}

TEST_SUITE_END();

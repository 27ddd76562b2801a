// SPDX-License-Identifier: BSD-3-Clause
// New values that the analysis did not foresee, and pivoting modes that a kind has no use for.
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/matrix/operations.hpp"
#include "shared_session.hpp"
#include "solved_rightly.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t order = 60;

/// Entries (i, i + 1) and (i, i + 7) cyclically and the diagonal; those at distance `large` are 1,
/// the others 1e-9.
SparseMatrix<double> cyclic(index_t large) {
    std::vector<int> row, column;
    std::vector<double> value;
    for (int i = 0; i < order; ++i)
        for (const int distance : {0, 1, 7}) {
            row.push_back(i);
            column.push_back((i + distance) % order);
            value.push_back(distance == large ? 1 : 1e-9);
        }
    const auto entries = static_cast<count_t>(value.size());
    return make_sparse(TripletView<double>{order, order, entries, row.data(), column.data(), value.data()});
}

}  // namespace

TEST_CASE("a matching that new values make stale is kept and reported, or made anew") {
    for (const StaleMatching mode : {StaleMatching::keep, StaleMatching::rematch}) {
        Solver<double> solver(shared_session());
        solver.analyze(cyclic(1));
        const auto first = solver.analysis();
        REQUIRE(first->report.matched);
        FactorOptions options;
        options.on_stale_matching = mode;
        const SparseMatrix<double> a = cyclic(7);
        const FactorReport report = solver.factor(a, options);
        const bool rematched = mode == StaleMatching::rematch;
        CHECK(report.stale_matching == !rematched);
        CHECK((solver.analysis() != first) == rematched);
        CHECK(solved_rightly(solver, a));
        // Values that suit it are no reason to analyse again.
        const auto second = solver.analysis();
        SparseMatrix<double> close = a;
        for (double& x : close.value) x *= 1.5;
        solver.factor(close, options);
        CHECK(solver.analysis() == second);
    }
}

TEST_CASE("every pivoting mode on a definite matrix, on tiles and in one subtree") {
    const SparseMatrix<double> a = poisson3d<double>(9).matrix;
    for (const Factorization kind :
         {Factorization::automatic, Factorization::llt, Factorization::ldlt, Factorization::lu})
        for (const Pivoting pivoting :
             {Pivoting::automatic, Pivoting::none, Pivoting::static_pivots, Pivoting::threshold})
            for (const index_t tile_size : {0, 16}) {
                AnalysisOptions analysis;
                analysis.factorization = kind;
                analysis.tile_size = tile_size;
                Solver<double> solver(shared_session(), analysis);
                FactorOptions options;
                options.pivoting = pivoting;
                CHECK(solver.factor(a, options).status == FactorStatus::success);
                CHECK(solved_rightly(solver, a));
            }
}

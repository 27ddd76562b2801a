// SPDX-License-Identifier: BSD-3-Clause
// Ranks with a device each, of which none has the whole of A: branches are on their devices.
#include "branch_solvers.hpp"
#include "distributed/distributed_solver.hpp"
#include "frond/matrix/generate.hpp"

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
void check_branches(const SparseMatrix<T>& a, Factorization kind, const SomeRanks& ranks, const Session& session) {
    AnalysisOptions options = distributed(kind);
    options.cut_for_gpus = 0;  // as for cores, which take smaller subtrees
    Solver<T> solver(session, options);
    // Where pivots fail, branches are left to tasks.
    const FactorPlace first = kind == Factorization::ldlt ? FactorPlace::automatic : FactorPlace::device;
    for (const FactorPlace place : {first, FactorPlace::automatic, FactorPlace::tasks}) {
        CAPTURE(static_cast<int>(place));
        const FactorReport report = solver.factor(dealt(a, ranks).view(), placed(place));
        CHECK(is_distributed(solver, ranks));
        if (place != FactorPlace::automatic) CHECK((report.place.devices_used > 0) == (place == FactorPlace::device));
        for (const Operation operation : {Operation::none, Operation::transpose}) {
            SolveOptions solve;
            solve.operation = operation;
            for (const index_t count : {1, 5}) check_right(solver, a, ranks, count, solve);
        }
    }
    solver.factor_values(dealt(times(a, real_t<T>(3)), ranks).value, placed(first));
    check_right(solver, times(a, real_t<T>(3)), ranks);
}

}  // namespace

TEST_SUITE_BEGIN(needs_distribution);

TEST_CASE("branches of ranks: no rank has the whole matrix") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = session_of(ranks, 1);
        check_branches(poisson3d<double>(15).matrix, Factorization::llt, ranks, session);
        check_branches(convdiff3d<double>(13).matrix, Factorization::lu, ranks, session);
        check_branches(kkt<double>(8).matrix, Factorization::ldlt, ranks, session);
    });
}

TEST_SUITE_END();

// SPDX-License-Identifier: BSD-3-Clause
// Solves with dense matrices, of which the ranks share the one front, on their devices.
#include "branch_solvers.hpp"
#include "dealt_dense.hpp"
#include "frond/base/vector_index.hpp"
#include "needs_ranks.hpp"
#include "shared_always.hpp"
#include "tasks_on_devices.hpp"

using namespace frond;
using namespace frond::test;

namespace {

struct DenseOnDevices {
    Factorization kind;
    Symmetry symmetry;
    double diagonal;
};

template <class T>
double dense_error(const SomeRanks& ranks, Solver<T>& solver, DenseSystem<T>& system, const SolveOptions& options) {
    constexpr index_t rhs = 3;
    std::vector<T> b = random_values<T>(at(system.n) * rhs, 5), x(b.size());
    static_cast<void>(solve_whole(solver, ranks, b, x, system.n, options));
    return system.error(options.operation, x.data(), b.data());
}

}  // namespace

TEST_SUITE_BEGIN(needs_several_ranks);

TEST_CASE("fronts above branches: the front of a dense matrix is solved with on devices") {
    const FrontsSharedAlways shared;
    constexpr index_t order = 130;
    for (const DenseOnDevices& dense : {DenseOnDevices{Factorization::llt, Symmetry::symmetric, 200},
                                        DenseOnDevices{Factorization::ldlt, Symmetry::symmetric, 0},
                                        DenseOnDevices{Factorization::lu, Symmetry::general, 0}}) {
        CAPTURE(static_cast<int>(dense.kind));
        DenseSystem<double> system = DenseSystem<double>::random(order, dense.symmetry, 3, dense.diagonal);
        on_several_ranks([&](const SomeRanks& ranks) {
            const DensePieces<double> pieces(system, Dealing::cyclic, ranks, Triangle::lower);
            AnalysisOptions options = fixed_places(dense.kind);
            options.tile_size = 32;
            Solver<double> solver(session_of(ranks, 1), options);
            solver.factor(pieces.view);
            double here = 0, there = 0;
            const TaskCounts by_device =
                tasks_of<double>(ranks, [&] { here = dense_error(ranks, solver, system, unrefined(Operation::none)); });
            CHECK(by_device[0] > 0);
            CHECK(by_device[1] + by_device[2] > 0);
            CHECK(tasks_of<double>(ranks, [&] {
                      there = dense_error(ranks, solver, system, unrefined(Operation::none, SolvePlace::host));
                  }) == nothing);
            const double rounding = 4 * order * std::numeric_limits<double>::epsilon();
            CHECK(here <= 20 * there + rounding);
        });
    }
}

TEST_SUITE_END();

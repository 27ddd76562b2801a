// SPDX-License-Identifier: BSD-3-Clause
// Substitutions with fronts that ranks share, whose tiles are on the devices of the ranks: by tasks there.
#include "branch_solvers.hpp"
#include "check_cancellations.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/device_room.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"
#include "shared_always.hpp"
#include "tasks_on_devices.hpp"
#include "trouble_systems.hpp"

#include <algorithm>

using namespace frond;
using namespace frond::test;

namespace {

/// Devices multiply with inverses of diagonal blocks of branches, and sum in another order.
constexpr double error_of_other_sums = 20;

template <class T>
struct SolversOfRanks {
    Solver<T> on_devices, on_cores;

    SolversOfRanks(const SomeRanks& ranks, const SparseMatrix<T>& a, const std::shared_ptr<const Analysis>& analysis,
                   FactorPlace place)
        : on_devices(session_of(ranks, 1), fixed_places(analysis->factorization)), on_cores(on_devices) {
        for (Solver<T>* const solver : {&on_devices, &on_cores}) {
            solver->use(analysis);
            solver->factor(dealt(a, ranks).view(), placed(place));
        }
    }
};

constexpr index_t usual_rhs_block = 64;

/// solve_diagonal_tile tasks of one substitution in fronts that ranks share. On rank 0.
template <class T>
count_t diagonal_tasks(const Solver<T>& solver, index_t rhs) {
    const detail::FactorsState<T>& state = *detail::state_of(solver.factors());
    const Mapping& mapping = state.analysis->mapping;
    const count_t blocks = (rhs + usual_rhs_block - 1) / usual_rhs_block;
    const count_t stages = has_block_diagonal(state.kind()) ? 3 : 2;
    count_t tiles = 0;
    for (index_t f = 0; f < state.analysis->tree.front_count(); ++f)
        if (const index_t grid = mapping.grid_of_front[at(f)];
            grid >= 0 && state.factors.ownership.share->has_shared_tiles(f))
            tiles += mapping.grids[at(grid)].own_tiles;
    CHECK(tiles > 3);
    return blocks * stages * tiles;
}

template <class T>
void check_front_solves(const SomeRanks& ranks, SolversOfRanks<T>& solvers, const SparseMatrix<T>& a, Operation op) {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
    for (const index_t rhs : {1, 3, 70}) {
        CAPTURE(rhs);
        SolvedSystem<T> here, there;
        const TaskCounts by_device =
            tasks_of<T>(ranks, [&] { here = solve_system(ranks, solvers.on_devices, a, rhs, unrefined(op)); });
        CHECK(*std::min_element(by_device.begin(), by_device.end()) > 0);
        // Fronts of one rank have others.
        if (ranks.rank() == 0) CHECK(by_device[0] >= diagonal_tasks(solvers.on_devices, rhs));
        CHECK(tasks_of<T>(ranks, [&] {
                  there = solve_system(ranks, solvers.on_cores, a, rhs, unrefined(op, SolvePlace::host));
              }) == nothing);
        CHECK(here.error <= error_of_other_sums * std::max(there.error, eps));
    }
}

/// Several tiles of each front that is shared.
constexpr ForcedMapping small_tiles{"small tiles", 16, 60};

template <class T>
void check_kind_of_fronts(const SparseMatrix<T>& a, Factorization kind, std::vector<Operation> operations) {
    const FrontsSharedAlways shared;
    const std::shared_ptr<const Analysis> analysis = analysis_for(a, kind, small_tiles);
    on_several_ranks([&](const SomeRanks& ranks) {
        for (const FactorPlace place : {FactorPlace::device, FactorPlace::tasks}) {
            CAPTURE(static_cast<int>(place));
            SolversOfRanks<T> solvers(ranks, a, analysis, place);
            for (const Operation op : operations) {
                CAPTURE(static_cast<int>(op));
                check_front_solves(ranks, solvers, a, op);
            }
        }
    });
}

constexpr index_t side_of_grid = 20;

}  // namespace

TEST_SUITE_BEGIN(needs_several_ranks);

TEST_CASE_TEMPLATE_DEFINE("fronts above branches are substituted with on devices", T, front_solves) {
    constexpr Symmetry definite = is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric;
    check_kind_of_fronts(random_grid<T>(side_of_grid, definite, true, 3), Factorization::llt, {Operation::none});
    check_kind_of_fronts(random_grid<T>(side_of_grid, Symmetry::symmetric, true, 4), Factorization::ldlt,
                         {Operation::none, Operation::adjoint});
    check_kind_of_fronts(random_grid<T>(side_of_grid, Symmetry::general, true, 5), Factorization::lu,
                         {Operation::none, Operation::transpose, Operation::adjoint});
    if (is_complex<T>)
        check_kind_of_fronts(random_grid<T>(side_of_grid, Symmetry::hermitian, true, 6), Factorization::ldlh,
                             {Operation::none, Operation::transpose});
}
TEST_CASE_TEMPLATE_APPLY(front_solves, Scalars);

/// 2 x 2 pivots, and columns that fail: tasks factor the branches, too, and second passes are on cores in between.
TEST_CASE("fronts above branches, with columns that fail, are substituted with on devices") {
    const FrontsSharedAlways shared;
    count_t delayed = 0, solved = 0;
    for (const TroubleSystem<double>& trouble : trouble_systems<double>()) {
        CAPTURE(trouble.name);
        const auto analysis = remapped(*analyze_as_given(trouble.matrix, trouble.kind).analysis, {"tiles of 4", 4, 0});
        on_several_ranks([&](const SomeRanks& ranks) {
            SolversOfRanks<double> solvers(ranks, trouble.matrix, analysis, FactorPlace::tasks);
            delayed += solvers.on_cores.factor_report().pivots.delayed;
            SolvedSystem<double> here, there;
            tasks_of<double>(ranks, [&] {
                here = solve_system(ranks, solvers.on_devices, trouble.matrix, 2, unrefined(Operation::none));
            });
            there =
                solve_system(ranks, solvers.on_cores, trouble.matrix, 2, unrefined(Operation::none, SolvePlace::host));
            if (!(there.error <= accepted_error<double>)) return;
            ++solved;
            CHECK(here.error <= accepted_error<double>);
        });
    }
    CHECK(delayed > 0);
    CHECK(solved > 5);
}

TEST_CASE("fronts above branches: the same bits in every solve, and on cores where that is asked for") {
    const FrontsSharedAlways shared;
    const SparseMatrix<double> a = random_grid<double>(side_of_grid, Symmetry::general, true, 5);
    const auto analysis = analysis_for(a, Factorization::lu, small_tiles);
    on_several_ranks([&](const SomeRanks& ranks) {
        SolversOfRanks<double> solvers(ranks, a, analysis, FactorPlace::device);
        Solver<double>& solver = solvers.on_devices;
        const SolvedSystem<double> first = solve_system(ranks, solver, a, 3, unrefined(Operation::none));
        SolvedSystem<double> other;
        const auto solve_with = [&](const SolveOptions& options) {
            return tasks_of<double>(ranks, [&] { other = solve_system(ranks, solver, a, 3, options); });
        };
        CHECK(solve_with(unrefined(Operation::none)) != nothing);
        CHECK(other.x == first.x);
        CHECK(solve_with(unrefined(Operation::none, SolvePlace::host)) == nothing);
        // The branches are on the host from now on, and so are the fronts above.
        CHECK(solve_with(unrefined(Operation::none)) == nothing);
        solver.factor(dealt(a, ranks).view(), placed(FactorPlace::device));
        CHECK(solve_with(unrefined(Operation::none)) != nothing);
        CHECK(other.x == first.x);
    });
}

namespace {

/// On all ranks: whether that one has diagonal tiles in a front that is solved with on its device.
bool has_diagonal_tasks(const SomeRanks& ranks, int rank, Solver<double>& solver, const SparseMatrix<double>& a) {
    const count_t before = tasks_on_devices<double>()[0];
    static_cast<void>(solve_system(ranks, solver, a, 1, unrefined(Operation::none)));
    int has = tasks_on_devices<double>()[0] > before ? 1 : 0;
    CHECK(MPI_Bcast(&has, 1, MPI_INT, rank, *ranks.communicator()) == MPI_SUCCESS);
    return has != 0;
}

}  // namespace

TEST_CASE("fronts above branches: a rank whose device refuses memory to a task ends the solve on all ranks") {
    const FrontsSharedAlways shared;
    const SparseMatrix<double> a = random_grid<double>(side_of_grid, Symmetry::general, true, 5);
    const auto analysis = analysis_for(a, Factorization::lu, small_tiles);
    on_several_ranks([&](const SomeRanks& ranks) {
        int ended = 0;
        for (int victim = 0; victim < ranks.size(); ++victim) {
            CAPTURE(victim);
            SolversOfRanks<double> solvers(ranks, a, analysis, FactorPlace::device);
            if (!has_diagonal_tasks(ranks, victim, solvers.on_devices, a)) continue;
            ++ended;
            const auto solve = [&] {  // for which a task needs more scratch memory than before
                return solve_system(ranks, solvers.on_devices, a, 60, unrefined(Operation::none));
            };
            if (ranks.rank() == victim) device_room().admit_only(DeviceRoom::Use::scratch, 0);
            const std::string text = message_of<DeviceError>([&] { static_cast<void>(solve()); });
            device_room().admit_all();
            CHECK(text.starts_with("rank " + std::to_string(victim) + ": "));
            CHECK(text.find("scratch memory on the device") != std::string::npos);
            CHECK(is_same_everywhere(ranks, text));
            CHECK(solve().error <= accepted_error<double>);
        }
        CHECK(ended > 0);
    });
}

TEST_CASE("fronts above branches: solves that are cancelled on any rank") {
    const FrontsSharedAlways shared;
    const SparseMatrix<double> a = random_grid<double>(side_of_grid, Symmetry::general, true, 5);
    const auto analysis = analysis_for(a, Factorization::lu, small_tiles);
    on_several_ranks([&](const SomeRanks& ranks) {
        SolversOfRanks<double> solvers(ranks, a, analysis, FactorPlace::device);
        for (int victim = 0; victim < ranks.size(); ++victim)
            for (const int wait_ms : {0, 1, 3, 6, 10, 20}) {
                CAPTURE(victim);
                CAPTURE(wait_ms);
                const auto call = [&](const std::atomic<bool>& cancel) {
                    SolveOptions options = unrefined(Operation::none);
                    options.cancel = &cancel;
                    static_cast<void>(solve_system(ranks, solvers.on_devices, a, 70, options));
                };
                const std::string text = text_of_cancelled(ranks, victim, wait_ms, call, wait_ms == 0);
                if (wait_ms == 0) CHECK(text != "");
                check_on_devices(ranks, solvers.on_devices, a);
            }
    });
}

TEST_SUITE_END();

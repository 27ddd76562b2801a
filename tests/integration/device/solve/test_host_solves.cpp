// SPDX-License-Identifier: BSD-3-Clause
// Solves on cores with factors that tasks made on a device: tasks bring them to the host, then the caller may read them.
#include "factors/factors_on_host.hpp"
#include "factors/state_of.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_device.hpp"
#include "rhs_block.hpp"
#include "run_both.hpp"
#include "scalar_lists.hpp"
#include "substitution/factor_solve.hpp"

#include <doctest/doctest.h>

#include <complex>

using namespace frond;
using namespace frond::test;

TEST_CASE_TEMPLATE_DEFINE("the first solve on cores brings factors to the host, later ones read them there" *
                              doctest::test_suite(needs_card),
                          T, fetched) {
    for (const Factorization kind : {Factorization::ldlt, Factorization::lu}) {
        CAPTURE(static_cast<int>(kind));
        const auto a = poisson3d<T>(13).matrix;
        AnalysisOptions options;
        options.factorization = kind;
        options.deterministic = true;  // each task of a tile on the device, where it can be
        options.tile_size = 48;
        options.workers = 4;
        Solver<T> solver(device_session(), options);
        FactorOptions factor_options;
        factor_options.place = FactorPlace::tasks;
        solver.factor(a, factor_options);
        const auto& state = *detail::state_of(solver.factors());
        REQUIRE(!state.factors.tiled().empty());
        SolveOptions solve_options;
        solve_options.place = SolvePlace::host;
        const auto b = RhsBlock<T>::random(a.rows(), 1, 17);
        RhsBlock<T> first(a.rows(), 1), second(a.rows(), 1);
        CHECK_FALSE(detail::factors_on_host(state.factors));
        CHECK(solver.solve(b.view(), first.view(), solve_options).status == SolveStatus::converged);
        CHECK(detail::factors_on_host(state.factors));
        // L U in complex double precision is more than one thread takes.
        if (sizeof(T) < sizeof(std::complex<double>))
            CHECK(detail::FactorSolve<T>(state, solve_options).works_alone(1));
        CHECK(solver.solve(b.view(), second.view(), solve_options).status == SolveStatus::converged);
        CHECK(first == second);
    }
}

TEST_CASE_TEMPLATE_APPLY(fetched, Scalars);

TEST_CASE("factors whose home is the device are solved with by tasks" * doctest::test_suite(needs_device)) {
    const auto a = poisson3d<double>(12).matrix;
    Solver<double> solver(device_session());
    FactorOptions factor_options;
    factor_options.place = FactorPlace::device;
    solver.factor(a, factor_options);
    SolveOptions solve_options;
    solve_options.place = SolvePlace::host;
    const auto b = RhsBlock<double>::random(a.rows(), 2, 18);
    RhsBlock<double> x(a.rows(), 2);
    for (int round = 0; round < 2; ++round)
        CHECK(solver.solve(b.view(), x.view(), solve_options).status == SolveStatus::converged);
    CHECK_FALSE(detail::factors_on_host(detail::state_of(solver.factors())->factors));
}

/// Solves on the device, then on cores, with one factorization. The first leave the factors without handles of tiles.
template <class T>
void check_units(Factorization kind) {
    const auto a = poisson3d<T>(12).matrix;
    AnalysisOptions options;
    options.factorization = kind;
    Solver<T> solver(device_session(), options);
    FactorOptions factor_options;
    factor_options.place = FactorPlace::device;
    const auto b = RhsBlock<T>::random(a.rows(), 1, 19);
    RhsBlock<T> on_device(a.rows(), 1), again(a.rows(), 1), on_host(a.rows(), 1);
    SolveOptions device, host;
    device.place = SolvePlace::device;
    host.place = SolvePlace::host;
    for (int round = 0; round < 2; ++round) {  // the second one with memory of the first
        solver.factor(a, factor_options);
        const auto& state = *detail::state_of(solver.factors());
        CHECK(solver.solve(b.view(), on_device.view(), device).status == SolveStatus::converged);
        CHECK(state.factors.are_units_in_parts_alone());
        CHECK(solver.solve(b.view(), on_host.view(), host).status == SolveStatus::converged);
        CHECK_FALSE(state.factors.are_units_in_parts_alone());
        CHECK(state.factors.subtrees().size() == state.analysis->mapping.subtrees.size());
        CHECK(state.factors.tiled().size() == state.analysis->mapping.grids.size());
        CHECK(solver.solve(b.view(), again.view(), device).status == SolveStatus::converged);
        CHECK(again == on_device);
    }
}

template <class T>
static void check_solves_without_tiles() {
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::lu}) {
        if (is_complex<T> && kind == Factorization::llt) continue;  // complex symmetric
        CAPTURE(static_cast<int>(kind));
        check_units<T>(kind);
    }
}

FROND_LONG_DEVICE_CASES("a solve on the device is one that asks for no tiles", check_solves_without_tiles, Scalars);

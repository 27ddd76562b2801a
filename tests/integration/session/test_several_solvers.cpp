// SPDX-License-Identifier: BSD-3-Clause
// Several solvers in one session, several sessions, several threads.
#include "driver/describe_machine.hpp"
#include "factors/state_of.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "shared_session.hpp"
#include "solved_rightly.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

AnalysisOptions on_small_tiles(Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    options.workers = 4;
    options.tile_size = 48;
    return options;
}

/// Factors and solves, twice with the same analysis.
template <class T>
bool works(const Session& session, const SparseMatrix<T>& a, Factorization kind) {
    Solver<T> solver(session, on_small_tiles(kind));
    for (int round = 0; round < 2; ++round) {
        solver.factor(a);
        if (!solved_rightly(solver, a)) return false;
    }
    return true;
}

/// Starts the threads at one moment and counts how many came back right.
template <class Body>
int run_together(int threads, Body body) {
    std::atomic<int> ready{0}, good{0};
    std::vector<std::thread> list;
    for (int t = 0; t < threads; ++t)
        list.emplace_back([&, t] {
            for (++ready; ready < threads;) std::this_thread::yield();
            if (body(t)) ++good;
        });
    for (std::thread& thread : list) thread.join();
    return good;
}

}  // namespace

TEST_CASE("solvers of one session work at the same time") {
    const Watchdog watchdog(120);
    const Session session(four_workers());
    const auto spd = poisson3d<double>(11).matrix;
    const auto unsymmetric = convdiff3d<double>(10).matrix;
    const auto indefinite = kkt<double>(7).matrix;
    const int good = run_together(5, [&](int t) {
        switch (t) {
            case 0:
                return works(session, spd, Factorization::llt);
            case 1:
                return works(session, unsymmetric, Factorization::lu);
            case 2:
                return works(session, indefinite, Factorization::ldlt);
            case 3:
                return works(Session(session), spd, Factorization::ldlt);
            default:
                return works(session, spd, Factorization::lu);
        }
    });
    CHECK(good == 5);
}

TEST_CASE("one set of factors serves several threads") {
    const Watchdog watchdog(120);
    const Session session(four_workers());
    const auto a = convdiff3d<double>(10).matrix;
    Solver<double> solver(session, on_small_tiles(Factorization::lu));
    solver.factor(a);
    const int good = run_together(4, [&](int t) {
        SolveOptions options;
        options.rhs_block = 1 + t;
        return solved_rightly(solver, a, 5, options) && solved_rightly(solver, a, 1, options);
    });
    CHECK(good == 4);
}

TEST_CASE("factor_async and solve_async") {
    const Watchdog watchdog(120);
    const Session session(four_workers());
    const auto a = poisson3d<double>(10).matrix, b = convdiff3d<double>(9).matrix;
    Solver<double> first(session), second(session);
    auto first_done = first.factor_async(a);
    auto second_done = second.factor_async(b);
    CHECK(first_done.get().status == FactorStatus::success);
    CHECK(second_done.get().status == FactorStatus::success);
    CHECK(solved_rightly(first, a));
    const auto rhs = RhsBlock<double>::random(b.rows(), 2, 5);
    RhsBlock<double> x(b.rows(), 2);
    CHECK(second.solve_async(rhs.view(), x.view()).get().status == SolveStatus::converged);
}

TEST_CASE("two sessions are one StarPU, which lives as long as either, or their factors") {
    const Watchdog watchdog(120);
    const auto a = poisson3d<double>(8).matrix;
    auto first = std::make_unique<Session>(four_workers());
    auto second = std::make_unique<Session>();
    CHECK(detail::state_of(*first) == detail::state_of(*second));
    auto solver = std::make_unique<Solver<double>>(*second);
    first.reset();
    solver->factor(a);
    CHECK(solved_rightly(*solver, a));
    const Factors<double> factors = solver->factors();
    solver.reset();
    second.reset();
    auto b = RhsBlock<double>::random(a.rows(), 1, 6);
    RhsBlock<double> x(a.rows(), 1);
    CHECK(solve(factors, std::as_const(b).view(), x.view()).status == SolveStatus::converged);
}

TEST_CASE("sessions that begin and end in several threads") {
    const Watchdog watchdog(120);
    const auto a = poisson2d<double>(20).matrix;
    const int good = run_together(4, [&](int) {
        for (int round = 0; round < 3; ++round) {
            const Session session(four_workers());
            if (!session.info().owns_starpu || !works(session, a, Factorization::llt)) return false;
        }
        return true;
    });
    CHECK(good == 4);
}

TEST_CASE("a solver orders for the machine of its session, in powers of two") {
    const Session session(four_workers());
    const auto a = poisson3d<double>(8).matrix;
    Solver<double> solver(session, {});
    const MachineDescription found = solver.analyze(a).machine;
    CHECK(found.cores == static_cast<index_t>(std::bit_floor(static_cast<unsigned>(session.info().cpu_workers))));
    CHECK(found.devices == session.info().gpus);
    CHECK(std::exp2(std::round(std::log2(found.core_flops_per_second))) == found.core_flops_per_second);
    AnalysisOptions options;
    options.machine = {2, 1e9, 0, 0, 0, 0};
    Solver<double> other(session, options);
    CHECK(other.analyze(a).machine.cores == 2);
    CHECK(other.analyze(a).machine.devices == 0);
    options.machine = {};
    options.deterministic = true;
    Solver<double> fixed(session, options);
    CHECK(fixed.analyze(a).machine.cores == 8);
    CHECK(fixed.analyze(a).machine.devices == 0);
}

TEST_CASE("without a device a core's rate follows from the width of its vectors, beside one it was measured") {
    Rates rates;
    rates.core_flops = 64e9;
    const auto rate = [&](index_t devices, const char* kernels) {
        return detail::describe_machine(2, devices, rates, kernels).core_flops_per_second;
    };
    CHECK(rate(0, "avx512") == 64e9);
    CHECK(rate(0, "avx2") == 32e9);
    CHECK(rate(0, "baseline") == 8e9);
    CHECK(rate(1, "avx2") == 64e9);
}

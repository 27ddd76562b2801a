// SPDX-License-Identifier: BSD-3-Clause
// Where solves of ranks with a device each are made, one after the other and beside each other.
#include "branch_solvers.hpp"
#include "check_cancellations.hpp"
#include "frond/codelets/device_room.hpp"
#include "frond/condition.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "random_sparse.hpp"
#include "shared_always.hpp"
#include "substitution/device_solve.hpp"

#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

constexpr const char* in_host_memory =
    "rank 0: the factors of its subtrees are in the host's memory, or on several devices";

SparseMatrix<double> general_grid() { return random_grid<double>(20, Symmetry::general, true, 5); }

template <class Body>
void on_sharing_ranks(const Body& body) {
    const SharedAlways shared;
    on_several_ranks(body);
}

Solver<double> solver_of(const SomeRanks& ranks, const Session& session, const SparseMatrix<double>& a,
                         Factorization kind) {
    Solver<double> solver(session, fixed_places(kind));
    solver.use(analysis_for(a, kind, branch_mappings().front()));
    CHECK(solver.factor(dealt(a, ranks).view(), placed(FactorPlace::device)).place.devices_used > 0);
    return solver;
}

Solver<double> solver_of(const SomeRanks& ranks, const SparseMatrix<double>& a) {
    return solver_of(ranks, session_of(ranks, 1), a, Factorization::lu);
}

SparseMatrix<double> times(SparseMatrix<double> a, double factor) {
    for (double& value : a.value) value *= factor;
    return a;
}

SolveOptions at_place(SolvePlace place) {
    SolveOptions options;
    options.place = place;
    return options;
}

/// No room for what a solve needs on this rank's device, or of pinned memory, beyond so many pieces, while it lives.
class FullDevice {
public:
    FullDevice(DeviceRoom::Use use, count_t left) { device_room().admit_only(use, left); }
    FullDevice(const FullDevice&) = delete;
    FullDevice& operator=(const FullDevice&) = delete;
    ~FullDevice() { device_room().admit_all(); }
};

}  // namespace

TEST_SUITE_BEGIN(needs_several_ranks);

TEST_CASE("branches of ranks: solves after new values are on the devices again") {
    on_sharing_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = general_grid();
        Solver<double> solver = solver_of(ranks, a);
        for (const double factor : {3.0, -0.5, 2.0}) {
            check_on_devices(ranks, solver, a);
            const SparseMatrix<double> changed = times(a, factor);
            solver.factor(dealt(changed, ranks).view(), placed(FactorPlace::device));
            check_on_devices(ranks, solver, changed, 5);
            solver.factor(dealt(a, ranks).view(), placed(FactorPlace::device));
        }
    });
}

TEST_CASE("branches of ranks: two analyses in one session") {
    on_sharing_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = general_grid(), c = poisson3d<double>(8).matrix;
        const Session session = session_of(ranks, 1);
        Solver<double> first = solver_of(ranks, session, a, Factorization::lu);
        Solver<double> second = solver_of(ranks, session, c, Factorization::llt);
        for (int round = 0; round < 2; ++round) {
            check_on_devices(ranks, first, a);
            check_on_devices(ranks, second, c, 4);
            first.factor(dealt(a, ranks).view(), placed(FactorPlace::device));
            check_on_devices(ranks, second, c);
        }
    });
}

TEST_CASE("branches of ranks: different solves one after the other") {
    on_sharing_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = general_grid();
        Solver<double> solver = solver_of(ranks, a);
        SolveOptions transposed;
        transposed.operation = Operation::transpose;
        for (int round = 0; round < 2; ++round) {
            check_on_devices(ranks, solver, a);
            check_on_devices(ranks, solver, a, 3, transposed);
            check_on_devices(ranks, solver, a, 9);
        }
        CHECK(solver.condition().skeel_condition > 1);
        CHECK(has_branches_on_device(ranks, solver));
        CHECK(contains(message_of<InvalidArgument>(
                           [&] { static_cast<void>(solve_system(ranks, solver, a, 1, at_place(SolvePlace::device))); }),
                       "several ranks share the factors"));
        check_on_devices(ranks, solver, a);
        check_on_cores(ranks, solver, a, "rank 0: place = host", at_place(SolvePlace::host));
        CHECK(!has_branches_on_device(ranks, solver) == (ranks.rank() == 0));
        check_on_cores(ranks, solver, a, in_host_memory);
        check_on_cores(ranks, solver, a, in_host_memory, transposed);
        solver.factor(dealt(a, ranks).view(), placed(FactorPlace::device));
        check_on_devices(ranks, solver, a);
    });
}

TEST_CASE("branches of ranks: parts of a solve are on cores, and make a whole one") {
    on_sharing_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = general_grid();
        Solver<double> solver = solver_of(ranks, a);
        check_on_devices(ranks, solver, a);
        const count_t n = a.rows();
        std::vector<double> b = simple_rhs(a, 1), x = b;
        for (const SolvePart part : {SolvePart::forward, SolvePart::diagonal, SolvePart::backward}) {
            SolveOptions options;
            options.part = part;
            std::vector<double> before = x;
            const SolveReport report = solver.solve(whole_on<const double>(ranks, 0, before, n, 1),
                                                    whole_on<double>(ranks, 0, x, n, 1), options);
            CHECK(!report.on_device);
            CHECK(report.place_reason == "rank 0: only whole solves run on the device");
        }
        broadcast_from(ranks, 0, x);
        CHECK(componentwise_error(a, Operation::none, x, b) <= accepted_error<double>);
        check_on_cores(ranks, solver, a, in_host_memory);
    });
}

namespace {

void check_without_room(DeviceRoom::Use use, count_t least_pieces) {
    on_sharing_ranks([&](const SomeRanks& ranks) {
        const SparseMatrix<double> a = general_grid();
        Solver<double> solver = solver_of(ranks, a);
        const std::string last = "rank " + std::to_string(ranks.last()) + ": ";
        constexpr count_t most_pieces = 60;
        count_t left = 0;
        for (bool fits = false; left < most_pieces; ++left) {
            CAPTURE(left);
            SolvedSystem<double> solved;
            {
                const FullDevice full(use, ranks.rank() == ranks.last() ? left : most_pieces);
                SolveOptions options;
                options.condition_hint = false;  // for which transposed solves would need room as well
                solved = solve_system(ranks, solver, a, 1, options);
            }
            fits = solved.report.on_device;
            CHECK(solved.report.place_reason == (fits ? "" : last + "its device was taken or full"));
            CHECK(solved.error <= accepted_error<double>);
            if (fits) break;
            CHECK(has_branches_on_device(ranks, solver));
            check_on_cores(ranks, solver, a,
                           last + "the factors of its subtrees are in the host's memory, or on several devices");
            solver = solver_of(ranks, a);
        }
        CHECK(left >= least_pieces);
        CHECK(left < most_pieces);
        check_on_devices(ranks, solver, a);
    });
}

}  // namespace

TEST_CASE("branches of ranks: a rank without room on its device takes its cores, alone") {
    check_without_room(DeviceRoom::Use::tables, 6);
    check_without_room(DeviceRoom::Use::pinned, 1);
}

TEST_CASE("branches of ranks: solves that are cancelled on any rank") {
    on_sharing_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = general_grid();
        Solver<double> solver = solver_of(ranks, a);
        for (int victim = 0; victim < ranks.size(); ++victim)
            for (const int wait_ms : {0, 1, 3, 6, 10, 20}) {
                CAPTURE(victim);
                CAPTURE(wait_ms);
                const auto call = [&](const std::atomic<bool>& cancel) {
                    SolveOptions options;
                    options.cancel = &cancel;
                    static_cast<void>(solve_system(ranks, solver, a, 70, options));
                };
                const std::string text = text_of_cancelled(ranks, victim, wait_ms, call, wait_ms == 0);
                if (wait_ms == 0) CHECK(text != "");
                check_on_devices(ranks, solver, a);
            }
    });
}

TEST_CASE("branches of ranks: copies of a solver solve at one time") {
    on_sharing_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = general_grid();
        Solver<double> first = solver_of(ranks, a), second(first);
        std::vector<double> b = simple_rhs(a, 2), x1(b.size()), x2(b.size());
        const count_t n = a.rows();
        std::vector<SolveReport> reports(2);
        const auto solve = [&](Solver<double>& solver, Operation op, std::vector<double>& x, SolveReport& report) {
            SolveOptions options;
            options.operation = op;
            for (int round = 0; round < 10; ++round)
                report = solver.solve(whole_on<const double>(ranks, 0, b, n, 2), whole_on<double>(ranks, 0, x, n, 2),
                                      options);
        };
        std::thread beside([&] { solve(second, Operation::transpose, x2, reports[1]); });
        solve(first, Operation::none, x1, reports[0]);
        beside.join();
        for (const SolveReport& report : reports) {
            CHECK(report.status == SolveStatus::converged);
            CHECK(report.on_device);
        }
        broadcast_from(ranks, 0, x1);
        broadcast_from(ranks, 0, x2);
        CHECK(componentwise_error(a, Operation::none, x1, b) <= accepted_error<double>);
        CHECK(componentwise_error(a, Operation::transpose, x2, b) <= accepted_error<double>);
        // One that may not be on the device waits until the other one's solves have ended there.
        SolveReport on_host;
        std::thread at_host([&] { on_host = solve_system(ranks, second, a, 1, at_place(SolvePlace::host)).report; });
        solve(first, Operation::none, x1, reports[0]);
        at_host.join();
        CHECK(on_host.place_reason == "rank 0: place = host");
        CHECK(on_host.status == SolveStatus::converged);
        CHECK(reports[0].status == SolveStatus::converged);
        check_on_cores(ranks, first, a, in_host_memory);
    });
}

TEST_CASE("branches of ranks: who uses a device already has less room there than others want, and keeps it") {
    on_sharing_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = general_grid();
        Solver<double> solver = solver_of(ranks, a);
        const detail::FactorsState<double>* const state =
            ranks.rank() == 0 ? detail::state_of(solver.factors()).get() : nullptr;
        gpu::ResidentSolve<double>* there = nullptr;
        if (state != nullptr) {
            const detail::JobGuard guard(*state->session);
            there = state->factors.ownership.branches->device_solve().begin_use(1, Operation::none);
            REQUIRE(there != nullptr);
            CHECK(there->largest_rhs() < 20);
        }
        check_on_devices(ranks, solver, a, 20);
        if (state != nullptr) {
            const detail::HoldPause another_factorization(*state->session);
            CHECK(there->largest_rhs() < 20);  // has not been made anew
        }
        check_on_devices(ranks, solver, a, 20);
        if (state != nullptr) state->factors.ownership.branches->device_solve().end_use(false);
        check_on_devices(ranks, solver, a, 20);
        if (state != nullptr) {
            const count_t bytes_in_use = state->factors.ownership.branches->device_solve().device_bytes();
            const detail::HoldPause another_factorization(*state->session);
            CHECK(state->factors.ownership.branches->device_solve().device_bytes() < bytes_in_use);
        }
    });
}

TEST_CASE("branches of ranks: factors that are asked to be ready for solves on a device") {
    on_sharing_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = general_grid();
        Solver<double> solver = solver_of(ranks, a);
        FactorOptions options = placed(FactorPlace::device);
        options.presolve = true;
        CHECK(solver.factor(dealt(a, ranks).view(), options).work.presolve_seconds == 0);
        check_on_devices(ranks, solver, a);
    });
}

TEST_SUITE_END();

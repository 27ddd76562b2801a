// SPDX-License-Identifier: BSD-3-Clause
// Memory that fails at the k-th request, for k over the whole of a run: always OutOfMemory, nothing
// kept, no hang, and the next call works.
#include "child_process.hpp"
#include "failing_allocations.hpp"
#include "forced_mapping.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "shared_session.hpp"
#include "singular_systems.hpp"
#include "solved_rightly.hpp"
#include "system_folder.hpp"
#include "temporary_file.hpp"
#include "trouble_systems.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>
#include <starpu.h>

using namespace frond;
using namespace frond::test;

namespace {

/// Every k at first, then ever wider steps.
long widening(long k) { return k + 1 + k / 40; }

/// Calls body with the k-th allocation failing, k = 0, next(0), ..., until it goes through. Each failure
/// must be OutOfMemory; returns how many there were.
template <class Body, class Next>
FaultReport fail_many_allocations(Body&& body, Next&& next) {
    FaultReport report;
    for (long k = 0;; k = next(k)) {
        const long before = live_allocations;
        bool failed = false;
        try {
            const FailingAllocations armed(k);
            body();
        } catch (const OutOfMemory&) {
            failed = true;
        }
        report.leaked += live_allocations - before;
        if (!failed) return report;
        ++report.failures;
    }
}

template <class Body, class Next = long (*)(long)>
void check_faults(long least_failures, Body&& body, Next&& next = widening) {
    const Watchdog watchdog(200);
    body();  // what is made once in a process is made here
    const FaultReport report = fail_many_allocations(body, next);
    CHECK(report.failures >= least_failures);
    CHECK(report.leaked == 0);
    CHECK_NOTHROW(body());
}

template <class Body>
long allocations_of(Body&& body) {
    constexpr long many = std::numeric_limits<long>::max() / 2;
    const FailingAllocations armed(many);
    body();
    return many - allocations_left;
}

struct Problem {
    const char* name;
    SparseMatrix<double> matrix;
    Factorization kind;
};

std::vector<Problem> problems() {
    return {{"L L^T", poisson2d<double>(14).matrix, Factorization::llt},
            {"L D L^T", kkt<double>(4).matrix, Factorization::ldlt},
            {"LU", convdiff3d<double>(6).matrix, Factorization::lu}};
}

/// The argument that factorize() takes over; its allocation is the caller's.
SparseMatrix<double> copy_of(const SparseMatrix<double>& a) {
    const WorkingAllocations working;
    return a;
}

AnalysisOptions options_for(const Problem& problem) {
    AnalysisOptions options;
    options.factorization = problem.kind;
    options.threads = 1;
    return options;
}

}  // namespace

TEST_CASE("analyze") {
    for (const Problem& problem : problems())
        for (const OrderingMethod ordering : {OrderingMethod::automatic, OrderingMethod::metis}) {
            CAPTURE(problem.name);
            AnalysisOptions options = options_for(problem);
            options.ordering = ordering;
            options.matching = MatchingMode::on;
            check_faults(30, [&] { analyze(problem.matrix, options); });
        }
}

TEST_CASE("analyze with threads of its own") {
    AnalysisOptions options;
    options.threads = 2;
    const auto a = poisson3d<double>(9).matrix;
    check_faults(30, [&] { analyze(a, options); });
}

TEST_CASE("factorize and solve, on tiles above subtrees") {
    for (const Problem& problem : problems()) {
        CAPTURE(problem.name);
        const AnalysisResult result = analyze(problem.matrix, options_for(problem));
        const auto analysis = remapped(*result.analysis, {"mixed", 16, 30});
        Factors<double> factors;
        check_faults(50,
                     [&] { factors = factorize(shared_session(), analysis, copy_of(problem.matrix), {}, nullptr); });
        const auto b = RhsBlock<double>::random(problem.matrix.rows(), 3, 5);
        RhsBlock<double> x(problem.matrix.rows(), 3);
        const long before = live_allocations;
        check_faults(20, [&] {
            const SolveReport report = solve(factors, b.view(), x.view());
            if (report.short_of_memory) throw OutOfMemory("told in the report");
        });
        CHECK(solve(factors, b.view(), x.view()).status == SolveStatus::converged);
        CHECK(live_allocations == before);
        factors = {};
    }
}

// What fails lies in the last part of a run, after the set-up: even steps reach it.
TEST_CASE("columns given back, the second pass and columns delayed to parents") {
    constexpr long runs = 50;
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
        const bool symmetric = symmetry == Symmetry::symmetric;
        CAPTURE(symmetric);
        const auto a = troubled_tips<double>(20, 5, symmetry, 5);
        const AnalysisResult result =
            analyze_as_given(a, symmetric ? Factorization::ldlt : Factorization::lu, ScalingMethod::none);
        const auto analysis = remapped(*result.analysis, {"tiles", 4, 0});
        Factors<double> factors;
        const auto body = [&] { factors = factorize(shared_session(), analysis, copy_of(a), {}, nullptr); };
        body();
        const long step = std::max(1L, allocations_of(body) / runs);
        check_faults(runs / 2, body, [step](long k) { return k + step; });
        REQUIRE(factors.report().pivots.delayed > 0);
        REQUIRE(factors.report().pivots.second_pass > 0);
        factors = {};
        CHECK(host_heap().used_bytes() == 0);
    }
}

TEST_CASE("the whole through Solver, one subtree") {
    const auto a = poisson2d<double>(9).matrix;
    std::vector<double> b(81, 1.0), x(81);
    check_faults(50, [&] {
        Solver<double> solver(shared_session());
        solver.factor(a);
        static_cast<void>(solver.solve({b.data(), 81}, {x.data(), 81}));
        solver.factors().log_determinant();
    });
}

TEST_CASE("the fall-back to L D L^T") {
    EntryTable<double> table;
    for (index_t j = 0; j < 30; ++j)
        for (index_t i = j; i < 30; ++i) table[{j, i}] = i == j ? 1.0 : -0.9;
    const auto a = from_table(30, table, Symmetry::symmetric);
    bool fell_back = false;
    check_faults(50, [&] {
        Solver<double> solver(shared_session());
        fell_back = solver.factor(a).fell_back_to_ldlt;
    });
    CHECK(fell_back);
}

TEST_CASE("condition, forward error bounds, null spaces and singular matrices as errors") {
    const auto a = convdiff3d<double>(5).matrix;
    const index_t n = a.rows();
    Solver<double> solver(shared_session());
    solver.factor(a);
    const auto b = RhsBlock<double>::random(n, 2, 5);
    RhsBlock<double> x(n, 2);
    SolveOptions options;
    options.forward_error = true;
    check_faults(10, [&] { condition_estimate(solver.factors()); });
    long without_bound = 0;
    check_faults(20, [&] {
        const SolveReport report = solver.solve(b.view(), x.view(), options);
        const WorkingAllocations working;
        CHECK(report.forward_error.has_value() == !report.forward_errors.empty());
        CHECK(report.backward_errors.size() == 2);
        if (report.forward_error && !report.short_of_memory) return;
        if (!report.forward_error) {
            ++without_bound;
            CHECK(report.short_of_memory);
            CHECK(report.status == SolveStatus::converged);
        }
        throw OutOfMemory("told in the report");
    });
    CHECK(without_bound > 0);

    const auto singular = scaled_laplacian<double>(90, 3, Symmetry::general, 5);
    solver.analyze(singular);
    solver.factor(singular);
    check_faults(10, [&] { null_space(solver.factors()); });
    FactorOptions strict;
    strict.null_pivots = NullPivots::error;
    long thrown = 0;
    check_faults(20, [&] {
        try {
            solver.factor(singular, strict);
        } catch (const SingularMatrix&) {
            ++thrown;
        }
    });
    CHECK(thrown >= 2);
}

TEST_CASE("the escalation to threshold pivoting") {
    const auto a = random_sparse<double>(80, 3, Symmetry::general, false, 6);
    const index_t n = a.rows();
    FactorOptions hopeless;
    hopeless.pivoting = Pivoting::static_pivots;
    hopeless.static_pivot_tolerance = 0.9;
    SolveOptions options;
    options.max_refinement_steps = 1;
    options.krylov = Krylov::off;
    const auto b = RhsBlock<double>::random(n, 1, 5);
    RhsBlock<double> x(n, 1);
    RhsBlock<double> first = b;  // what static pivoting alone gives
    {
        Solver<double> solver(shared_session());
        solver.factor(a, hopeless);
        const Solver<double>& constant = solver;
        static_cast<void>(constant.solve(b.view(), first.view(), options));
    }
    bool escalated = false;
    long kept_first = 0;
    check_faults(50, [&] {
        x = b;
        Solver<double> solver(shared_session());
        solver.factor(a, hopeless);
        const SolveReport report = solver.solve(std::as_const(x).view(), x.view(), options);
        escalated = report.escalated;
        if (!report.short_of_memory) return;
        const WorkingAllocations working;
        if (escalated) throw OutOfMemory("told in the report");
        ++kept_first;
        CHECK(report.status == SolveStatus::not_converged);
        CHECK(report.backward_errors.size() == 1);
        CHECK(x == first);
        throw OutOfMemory("told in the report");
    });
    CHECK(escalated);
    CHECK(kept_first > 0);
}

TEST_CASE("reading files and views") {
    const std::string path = FROND_TEST_DATA "/cage5.mtx.gz";
    check_faults(10, [&] { read_matrix(path); });
    const std::string older = FROND_TEST_DATA "/rutherford_boeing/lfat5.rsa";
    check_faults(10, [&] { read_rutherford_boeing<double>(older); });
    const std::vector<std::int32_t> index{0, 1, 0, 1, 1};
    const std::vector<double> value{4, 1, 1, 3, 1};
    TripletView<double> view{2, 2, 5, index.data(), index.data(), value.data()};
    check_faults(2, [&] { make_sparse(view); });
    check_faults(10, [&] { Solver<double>(shared_session()).factor(view); });
    // If the list is the same as before, the third factorization is the first that leaves as much as it found.
    Solver<double> solver(shared_session());
    for (int k = 0; k < 3; ++k) solver.factor(view);
    check_faults(10, [&] { solver.factor(view); });
}

TEST_CASE("a session") {
    check_faults(0, [] { Session(four_workers()).info(); });
}

TEST_CASE("in a child: memory fails while a session starts" * doctest::skip()) {
    const SessionOptions options{.cpu_workers = 2, .gpus = 0, .scheduler = "eager"};
    long failures = 0;
    check_faults(10, [&] {
        if (starpu_is_initialized() != 0) ++failures;  // of the attempt before
        const Session session(options);
        const SessionInfo info = session.info();  // StarPU has started
        const WorkingAllocations of_the_test;
        if (!info.owns_starpu || info.scheduler != "eager") ++failures;
    });
    CHECK(failures == 0);
    CHECK(starpu_is_initialized() == 0);
}

TEST_CASE("a session that fails to start leaves neither StarPU nor files behind") {
    const SystemFolder folder;
    CHECK(run_case_in_child("in a child: memory fails while a session starts", {{"TMPDIR", folder.path()}}, 240) == 0);
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("the heap refuses: OutOfMemory, everything given back, and the next call works") {
    const Watchdog watchdog(120);
    const auto a = poisson3d<double>(14).matrix;
    AnalysisOptions options;
    options.tile_size = 64;
    options.workers = 4;
    Solver<double> solver(shared_session(), options);
    solver.analyze(a);
    index_t refusals = 0;
    for (const count_t limit : {0, 400'000, 800'000, 1'600'000, 3'200'000, 6'400'000}) {
        host_heap().limit_used_bytes(limit);
        try {
            solver.factor(a);
        } catch (const OutOfMemory& error) {
            ++refusals;
            CHECK(error.requested_bytes() > 0);
            CHECK(host_heap().used_bytes() == 0);
        }
        host_heap().limit_used_bytes(HostHeap::no_limit);
    }
    CHECK(refusals >= 3);
    solver.factor(a);
    CHECK(solved_rightly(solver, a));
}

// SPDX-License-Identifier: BSD-3-Clause
// What Frond does to the StarPU, the BLAS and the cores it shares with an application.
#include "factors/state_of.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "leaks_expected.hpp"
#include "shared_session.hpp"
#include "solved_rightly.hpp"
#include "watchdog.hpp"

#include <starpu.h>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <sys/resource.h>
#include <thread>

using namespace frond;
using namespace frond::test;

extern "C" {
int openblas_get_num_threads(void);
void openblas_set_num_threads(int);
}

namespace {

void start_starpu_as_application() {
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.catch_signals = 0;
    conf.ncpus = four_workers().cpu_workers;
    conf.ncuda = conf.nhip = conf.nopencl = 0;
    REQUIRE(starpu_init(&conf) == 0);
}

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::atomic<int> application_tasks{0};

void count_task(void**, void*) { ++application_tasks; }

/// As an application would: its own codelet, its own tasks.
int submit_application_tasks(int count) {
    static starpu_codelet codelet = [] {
        starpu_codelet c;
        starpu_codelet_init(&c);
        c.cpu_funcs[0] = count_task;
        return c;
    }();
    int refused = 0;
    for (int t = 0; t < count; ++t) {
        starpu_task* task = starpu_task_create();
        task->cl = &codelet;
        refused += starpu_task_submit(task) != 0;
    }
    return refused;
}

Solver<double> factored(const Session& session, const SparseMatrix<double>& a) {
    AnalysisOptions options;
    options.tile_size = 48;
    options.workers = 4;
    Solver<double> solver(session, options);
    solver.factor(a);
    return solver;
}

}  // namespace

TEST_CASE("idle workers use no CPU, before, between and after jobs") {
    const Watchdog watchdog(120);
    const Session session = started_session(four_workers());
    const auto a = poisson3d<double>(10).matrix;
    const auto idle_cpu_seconds = [] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));  // to come to rest
        const double before = cpu_seconds();
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        return cpu_seconds() - before;
    };
    CHECK(idle_cpu_seconds() < 0.1);
    const Solver<double> solver = factored(session, a);
    CHECK(idle_cpu_seconds() < 0.1);
    CHECK(solved_rightly(solver, a));
    CHECK(idle_cpu_seconds() < 0.1);
}

TEST_CASE("the threads of BLAS are as before after every job, also a failed one") {
    const Watchdog watchdog(120);
    const Session session(four_workers());
    const int before = openblas_get_num_threads();
    openblas_set_num_threads(2);
    auto a = poisson3d<double>(10).matrix;
    Solver<double> solver = factored(session, a);
    CHECK(openblas_get_num_threads() == 2);
    CHECK(solved_rightly(solver, a));
    CHECK(openblas_get_num_threads() == 2);
    const std::atomic<bool> cancel{true};
    FactorOptions options;
    options.cancel = &cancel;
    CHECK_THROWS_AS(solver.factor(a, options), Cancelled);
    CHECK(openblas_get_num_threads() == 2);
    openblas_set_num_threads(before);
}

TEST_CASE("an application's StarPU is used and left as it was") {
    const Watchdog watchdog(120);
    start_starpu_as_application();
    {
        const auto a = poisson3d<double>(10).matrix;
        const Session session;
        CHECK_FALSE(session.info().owns_starpu);
        CHECK(session.info().cpu_workers == 4);
        const Solver<double> solver = factored(session, a);
        CHECK(solved_rightly(solver, a));
        CHECK(starpu_is_paused() == 0);
    }
    CHECK(starpu_is_initialized() == 1);
    CHECK(starpu_is_paused() == 0);
    application_tasks = 0;
    CHECK(submit_application_tasks(10) == 0);
    starpu_task_wait_for_all();
    CHECK(application_tasks == 10);
    starpu_shutdown();
    CHECK(starpu_is_initialized() == 0);
}

TEST_CASE("the application's tasks run beside ours, and its wait for all of them ends") {
    const Watchdog watchdog(120);
    start_starpu_as_application();
    {
        const auto a = convdiff3d<double>(10).matrix;
        const Session session;
        application_tasks = 0;
        std::atomic<bool> stop{false};
        int submitted = 0, refused = 0;
        std::thread application([&] {
            for (; !stop || submitted == 0; submitted += 20) {
                refused += submit_application_tasks(20);
                starpu_task_wait_for_all();
            }
        });
        for (int round = 0; round < 3; ++round) CHECK(solved_rightly(factored(session, a), a));
        stop = true;
        application.join();
        CHECK(refused == 0);
        CHECK(application_tasks == submitted);
    }
    starpu_shutdown();
}

TEST_CASE("the application may shut down first: StarPU stops with the last of Frond") {
    const Watchdog watchdog(120);
    start_starpu_as_application();
    const auto a = poisson3d<double>(8).matrix;
    {
        const Session session;
        const Solver<double> solver = factored(session, a);
        starpu_shutdown();
        CHECK(starpu_is_initialized() == 1);
        CHECK(solved_rightly(solver, a));
    }
    CHECK(starpu_is_initialized() == 0);
    const Session next(four_workers());
    CHECK(next.info().owns_starpu);
    CHECK(solved_rightly(factored(next, a), a));
}

TEST_CASE("one shutdown too many: errors that say so, and silent destructors") {
    const Watchdog watchdog(120);
    start_starpu_as_application();
    const auto a = poisson3d<double>(8).matrix;
    {
        const Session session;
        Solver<double> solver = [&] {
            // StarPU goes before the data handles made here: it can no longer free them.
            const LeaksExpected expected;
            return factored(session, a);
        }();
        starpu_shutdown();
        starpu_shutdown();
        REQUIRE(starpu_is_initialized() == 0);
        std::vector<double> b(512, 1.0), x(512);
        CHECK_THROWS_AS(static_cast<void>(solver.solve({b.data(), 512}, {x.data(), 512})), RuntimeError);
        CHECK_THROWS_AS(solver.factor(a), RuntimeError);
        CHECK(session.info().cpu_workers == 4);
        const Session next(four_workers());  // does not join the dead one
        CHECK(detail::state_of(next) != detail::state_of(session));
        CHECK(solved_rightly(factored(next, a), a));
        solver = Solver<double>(next);  // its handles belonged to the StarPU that is gone
    }
    CHECK(starpu_is_initialized() == 0);
}

TEST_CASE("a session whose StarPU is gone has no part in the next one") {
    const Watchdog watchdog(120);
    start_starpu_as_application();
    const auto a = poisson3d<double>(8).matrix;
    auto session = std::make_unique<Session>();
    Solver<double> solver = [&] {
        const LeaksExpected expected;  // as above
        return factored(*session, a);
    }();
    starpu_shutdown();
    starpu_shutdown();
    const Session next = started_session(four_workers());
    const Solver<double> next_solver = factored(next, a);
    std::vector<double> b(512, 1.0), x(512);
    CHECK_THROWS_AS(static_cast<void>(solver.solve({b.data(), 512}, {x.data(), 512})), RuntimeError);
    CHECK_THROWS_AS(solver.factor(a), RuntimeError);
    solver = Solver<double>(next);
    session.reset();
    CHECK(starpu_is_initialized() == 1);
    CHECK(solved_rightly(next_solver, a));
}

TEST_CASE("sessions one after the other start StarPU anew, with the workers asked for") {
    const Watchdog watchdog(120);
    for (const index_t workers : {1, 2, 3}) {
        four_workers();
        const Session session(SessionOptions{.cpu_workers = workers, .scheduler = "prio"});
        CHECK(session.info().cpu_workers == workers);
        CHECK(session.info().scheduler == "prio");
    }
    CHECK(starpu_is_initialized() == 0);
    CHECK_THROWS_AS(Session(SessionOptions{.cpu_workers = -1}), InvalidArgument);
    CHECK_THROWS_AS(Session(SessionOptions{.gpu_memory_bytes = -1}), InvalidArgument);
    CHECK_THROWS_AS(Session(SessionOptions{.gpu_memory_bytes = 1000}), InvalidArgument);
    CHECK(starpu_is_initialized() == 0);
}

// SPDX-License-Identifier: BSD-3-Clause
// A child of fork() has StarPU's memory, but none of its threads.
#include "child_process.hpp"
#include "frond/base/error.hpp"
#include "frond/base/host_block.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "solved_rightly.hpp"

#include <doctest/doctest.h>
#include <starpu.h>

#include <atomic>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// The exit status of work() in a child of this process; -1 after a signal, such as that of its
/// alarm.
template <class Work>
int status_of_child(const Work& work) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(30 * sanitizer_slowdown);
        _exit(work());
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

template <class Call>
bool says_fork(const Call& call) {
    try {
        call();
    } catch (const RuntimeError& error) {
        return std::string(error.what()).find("fork()") != std::string::npos;
    }
    return false;
}

Solver<double> factored_before_fork(const Session& session, const SparseMatrix<double>& a) {
    Solver<double> solver(session);
    solver.factor(a);
    return solver;
}

}  // namespace

TEST_CASE("in a child: fork while a session is open" * doctest::skip()) {
    const auto a = poisson3d<double>(7).matrix;
    auto session = std::make_unique<Session>(SessionOptions{.cpu_workers = 2});
    CHECK(session->info().owns_starpu);  // which starts StarPU
    auto solver = std::make_unique<Solver<double>>(factored_before_fork(*session, a));
    const int status = status_of_child([&] {
        std::vector<double> b(343, 1.0), x(343);
        if (!says_fork([&] { static_cast<void>(solver->solve({b.data(), 343}, {x.data(), 343})); })) return 1;
        if (!says_fork([&] { solver->factor(a); })) return 2;
        if (!says_fork([&] { const Session another; })) return 3;
        const Session inline_session(SessionOptions{.inline_tasks = true});
        if (!solved_rightly(factored_before_fork(inline_session, a), a)) return 6;
        if (session->info().cpu_workers != 2) return 4;
        solver.reset();
        session.reset();
        return says_fork([&] { const Session another; }) ? 0 : 5;
    });
    CHECK(status == 0);
    CHECK(solved_rightly(*solver, a));  // the parent's goes on
}

TEST_CASE("in a child: fork after sessions have ended" * doctest::skip()) {
    const auto a = poisson3d<double>(7).matrix;
    const auto works = [&] {
        return solved_rightly(factored_before_fork(Session(SessionOptions{.cpu_workers = 2}), a), a);
    };
    CHECK(works());
    CHECK(status_of_child([&] { return works() ? 0 : 1; }) == 0);
    CHECK(works());
}

TEST_CASE("in a child: fork before StarPU was needed" * doctest::skip()) {
    const auto a = poisson3d<double>(7).matrix;
    const Session session(SessionOptions{.cpu_workers = 2});
    auto solver = factored_before_fork(session, a);
    REQUIRE(starpu_is_initialized() == 0);
    CHECK(status_of_child([&] {
              if (!solved_rightly(solver, a)) return 1;
              solver.factor(a);
              if (!solved_rightly(solver, a)) return 2;
              return session.info().cpu_workers == 2 && starpu_is_initialized() == 1 ? 0 : 3;
          }) == 0);
    CHECK(solved_rightly(solver, a));
}

TEST_CASE("a child of fork() gets an error where it would wait for ever") {
    CHECK(run_case_in_child("in a child: fork while a session is open", {}, 120) == 0);
}

// ThreadSanitizer has no threads in children of a process that had some.
TEST_CASE("a child of fork() works when no session was open" * doctest::skip(FROND_THREAD_SANITIZER)) {
    CHECK(run_case_in_child("in a child: fork after sessions have ended", {}, 120) == 0);
}

TEST_CASE("a child of fork() goes on where StarPU had not started" * doctest::skip(FROND_THREAD_SANITIZER)) {
    CHECK(run_case_in_child("in a child: fork before StarPU was needed", {}, 120) == 0);
}

TEST_CASE("in a child: fork beside threads that use the heap" * doctest::skip()) {
    std::atomic<bool> stop{false};
    std::vector<std::thread> others(2);
    for (std::thread& other : others)
        other = std::thread([&] {
            while (!stop) HostBlock(count_t{1} << 20);
        });
    int ended = 0;
    constexpr int children = 40;
    for (int k = 0; k < children && ended == k; ++k) {
        HostBlock before(count_t{1} << 20);
        ended += static_cast<int>(status_of_child([&] { return before = HostBlock(), 0; }) == 0);
    }
    stop = true;
    for (std::thread& other : others) other.join();
    CHECK(ended == children);
}

TEST_CASE("a child of fork() destroys what the parent made while other threads worked" *
          doctest::skip(FROND_THREAD_SANITIZER)) {
    CHECK(run_case_in_child("in a child: fork beside threads that use the heap", {}, 120) == 0);
}

TEST_CASE("in a child: fork under the application's StarPU" * doctest::skip()) {
    starpu_conf conf;
    REQUIRE(starpu_conf_init(&conf) == 0);
    conf.ncpus = 2;
    REQUIRE(starpu_init(&conf) == 0);
    CHECK(status_of_child([] { return says_fork([] { const Session first; }) ? 0 : 1; }) == 0);
    starpu_shutdown();
}

TEST_CASE("the first session of a child of fork() does not join a StarPU without threads") {
    CHECK(run_case_in_child("in a child: fork under the application's StarPU", {}, 120) == 0);
}

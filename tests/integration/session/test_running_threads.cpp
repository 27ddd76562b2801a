// SPDX-License-Identifier: BSD-3-Clause
// Who else runs on the cores of a session, and that its workers are not bound beside them.
#include "child_process.hpp"
#include "frond/frond.hpp"
#include "session/workers/running_threads.hpp"
#include "system_folder.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <sched.h>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace frond;
using namespace frond::test;

TEST_CASE("threads of others: those that run now, but for the one that asks") {
    SystemFolder folder;
    folder.write("/proc/loadavg", "0.61 1.00 5.06 11/141 15382\n");
    CHECK(detail::running_threads_of_machine(folder.path()) == 10);
    folder.write("/proc/loadavg", "9.61 7.00 5.06 1/141 15382\n");
    CHECK(detail::running_threads_of_machine(folder.path()) == 0);
    folder.write("/proc/loadavg", "what");
    CHECK(detail::running_threads_of_machine(folder.path()) == 0);
}

TEST_CASE("busy processors: those that did something half of the time") {
    SystemFolder folder;
    const auto later = [&] {
        folder.write("/proc/stat",
                     "cpu0 102 1 51 1001 0 0 0 0 0 0\n"  // 4 of 5
                     "cpu1 101 0 50 1004 0 0 0 0 0 0\n"  // 1 of 5
                     "cpu2 100 0 50 1000 0 0 0 5 0 0\n"  // stolen
                     "cpu13 105 0 50 1000 0 0 0 0 0 0\n"
                     "intr 124\n");
    };
    const auto busy = [&](const std::vector<int>& processors) {
        folder.write("/proc/stat",
                     "cpu  9 9 9 9 9 9 9 9 0 0\n"
                     "cpu0 100 0 50 1000 0 0 0 0 0 0\n"
                     "cpu1 100 0 50 1000 0 0 0 0 0 0\n"
                     "cpu2 100 0 50 1000 0 0 0 0 0 0\n"
                     "cpu13 100 0 50 1000 0 0 0 0 0 0\n");
        return detail::busy_processors(processors, later, folder.path());
    };
    CHECK(busy({0, 1, 2, 13}) == 2);
    CHECK(busy({1, 2}) == 0);
    CHECK(busy({13, 99}) == 1);
    CHECK(detail::busy_processors(
              {0}, [] {}, folder.path() + "/none") == 0);
}

TEST_CASE("in a child: another process on the only core" * doctest::skip()) {
    unsetenv("STARPU_WORKERS_NOBIND");  // other cases of this program may have set it
    const std::vector<int> mine = detail::usable_core_list().hardware_threads;
    if (mine.size() < 2) {
        MESSAGE("skipped: the cores are no part of the machine where there is only one");
        return;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(mine.back(), &set);
    REQUIRE(sched_setaffinity(0, sizeof set, &set) == 0);
    const pid_t other = fork();
    REQUIRE(other >= 0);
    while (other == 0) {
    }  // works on, on the same core
    {
        const Session session(SessionOptions{.gpus = 0});
        CHECK(session.info().worker_binding == "none: other threads run on these cores");
    }
    kill(other, SIGKILL);
    CHECK(waitpid(other, nullptr, 0) == other);
}

TEST_CASE("workers are not bound beside others, though the cores are chosen") {
    CHECK(run_case_in_child("in a child: another process on the only core", {}, 120) == 0);
}

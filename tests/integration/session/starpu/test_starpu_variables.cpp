// SPDX-License-Identifier: BSD-3-Clause
// Variables that StarPU would end the process for are errors, and Frond's options come before them.
#include "child_process.hpp"
#include "factors/state_of.hpp"
#include "frond/base/error.hpp"
#include "frond/frond.hpp"
#include "session/parallel_for.hpp"
#include "session/starpu/scoped_environment.hpp"
#include "session/session_state.hpp"
#include "session/starpu/starpu_variables.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include <string>

using namespace frond;
using namespace frond::test;

namespace {

std::string refusal_of_variable(const char* name, const char* value) {
    detail::ScopedEnvironment environment;
    environment.set(name, value);
    try {
        detail::expect_starpu_variables();
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("numbers that StarPU cannot read are named with their value") {
    const struct {
        const char *name, *value;
    } wrong[] = {{"STARPU_NCPU", "abc"},
                 {"STARPU_NCPU", "-3"},
                 {"STARPU_NCPU", "2x"},
                 {"STARPU_NCPU", "1000000"},
                 {"STARPU_NCPUS", "two"},
                 {"STARPU_CALIBRATE", "99999999999999999999"},
                 {"STARPU_SILENT", "yes"},
                 {"STARPU_LIMIT_CUDA_1_MEM", "4G"},
                 {"STARPU_LIMIT_CPU_MEM", "1.5"},
                 {"STARPU_NWORKER_PER_CUDA", "0"},
                 {"STARPU_NTHREADS_PER_CORE", "0"},
                 {"STARPU_WORKERS_CPUID", ""},
                 {"STARPU_WORKERS_CPUID", "all"},
                 {"STARPU_WORKERS_COREID", "-1"},
                 {"STARPU_SCHED_ALPHA", "0,5"},
                 {"STARPU_SCHED_BETA", "much"}};

    for (const auto& [name, value] : wrong) {
        CAPTURE(name);
        CAPTURE(value);
        const std::string message = refusal_of_variable(name, value);
        CHECK(message.find(name + std::string(" = '") + value + "'") != std::string::npos);
        CHECK(message.find("; correct the variable or unset it") != std::string::npos);
    }
}

TEST_CASE("what StarPU can read, and what it does not read, is accepted") {
    const struct {
        const char *name, *value;
    } right[] = {{"STARPU_NCPU", "2"},
                 {"STARPU_NCPU", ""},
                 {"STARPU_NCPU", " 3"},
                 {"STARPU_SCHED_ALPHA", "0.5"},
                 {"STARPU_SCHED", "any"},
                 {"STARPU_WORKERS_CPUID", "0 2-5"},
                 {"STARPU_HOME", "/some/folder"},
                 {"STARPU_ROOT", "/opt/x"},
                 {"STARPU_LIMIT_CUDA_MEM", "1000"}};

    for (const auto& [name, value] : right) {
        CAPTURE(name);
        CAPTURE(value);
        CHECK(refusal_of_variable(name, value).empty());
    }
}

TEST_CASE("in a child: a session is refused" * doctest::skip()) {
    CHECK_THROWS_AS(Session(), InvalidArgument);
    CHECK_THROWS_AS(Session(), InvalidArgument);  // and nothing was left half done
}

TEST_CASE("a session under a variable that StarPU cannot read is an error") {
    for (const Environment& variable :
         {Environment{{"STARPU_NCPU", "abc"}}, Environment{{"STARPU_WORKERS_CPUID", "foo"}},
          Environment{{"STARPU_NTHREADS_PER_CORE", "100"}}, Environment{{"STARPU_LIMIT_CPU_MEM", "-1"}}})
        CHECK(run_case_in_child("in a child: a session is refused", variable, 120) == 0);
}

TEST_CASE("in a child: options before variables" * doctest::skip()) {
    {
        const Session session(SessionOptions{.cpu_workers = 1, .scheduler = "eager"});
        CHECK(session.info().cpu_workers == 1);
        CHECK(session.info().scheduler == "eager");
    }
    const Session session;  // without options the variables hold
    CHECK(session.info().cpu_workers == 3);
    CHECK(session.info().scheduler == "prio");
}

TEST_CASE("options come before STARPU_NCPU, STARPU_RESERVE_NCPU and STARPU_SCHED") {
    CHECK(run_case_in_child(
              "in a child: options before variables",
              {{"STARPU_NCPU", "4"}, {"STARPU_RESERVE_NCPU", "1"}, {"STARPU_SCHED", "prio"}, {"STARPU_NCUDA", "0"}},
              120) == 0);
}

TEST_CASE("a variable that an option overrules may be what it likes") {
    CHECK(run_case_in_child("in a child: options before wrong variables",
                            {{"STARPU_NCPU", "abc"},
                             {"STARPU_RESERVE_NCPU", "-1"},
                             {"STARPU_NCUDA", "x"},
                             {"STARPU_LIMIT_CUDA_MEM", "4G"}},
                            120) == 0);
}

TEST_CASE("in a child: options before wrong variables" * doctest::skip()) {
    CHECK_THROWS_AS(Session(SessionOptions{.cpu_workers = 2}), InvalidArgument);  // STARPU_NCUDA
    const Session session(SessionOptions{.cpu_workers = 2, .gpus = 0, .gpu_memory_bytes = 1 << 30});
    CHECK(session.info().cpu_workers == 2);
}

TEST_CASE("in a child: tasks that wait for one another" * doctest::skip()) {
    const Session session(SessionOptions{.cpu_workers = 4, .gpus = 0});
    std::atomic<int> met{0};
    const ParallelFor parallel_for = detail::parallel_for_outside_jobs(*detail::state_of(session), "values");
    parallel_for(4, [&](count_t) {
        ++met;
        while (met < 4) std::this_thread::yield();
    });
    CHECK(met == 4);
}

TEST_CASE("StarPU's bound of submitted tasks does not stop the thread that submits") {
    CHECK(run_case_in_child("in a child: tasks that wait for one another",
                            {{"STARPU_LIMIT_MAX_SUBMITTED_TASKS", "1"}, {"STARPU_LIMIT_MIN_SUBMITTED_TASKS", "0"}},
                            30) == 0);
}

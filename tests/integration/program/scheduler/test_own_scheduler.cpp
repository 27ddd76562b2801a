// SPDX-License-Identifier: BSD-3-Clause
// A scheduler in a library of the user's own (docs/examples/09_scheduler.cpp), which STARPU_SCHED_LIB names.
#include "run_program.hpp"
#include "scheduler_counts.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace frond::test;
using Json = nlohmann::json;

namespace {

constexpr double accepted_error = 1e-13;  // above it frond solve says that it is worse than asked

Outcome solve_by(const std::string& scheduler, const std::string& library) {
    return run_frond({"solve", "generate:poisson3d:20", "--workers", "4", "--scheduler", scheduler, "--json", "-"},
                     {{"STARPU_SCHED_LIB", library}});
}

/// One without a scheduler.
std::string library_of_malloc() {
    Dl_info info{};
    void* const address = dlsym(RTLD_DEFAULT, "malloc");
    REQUIRE(address != nullptr);
    REQUIRE(dladdr(address, &info) != 0);
    return info.dli_fname;
}

}  // namespace

TEST_CASE("a scheduler of one's own runs every task") {
    const Outcome outcome = solve_by("most_urgent", FROND_SCHEDULER_LIBRARY);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json run = Json::parse(outcome.out);
    CHECK(run.at("frond").at("scheduler") == "most_urgent");
    CHECK(run.at("solve").at("componentwise_backward_error").get<double>() < accepted_error);
    const SchedulerCounts counts = scheduler_counts(outcome.err);
    CHECK(run.at("factorization").at("tasks").get<long>() > 10);
    CHECK(counts.pushed >= run.at("factorization").at("tasks").get<long>());
    CHECK(counts.popped == counts.pushed);
}

TEST_CASE("schedulers of the StarPU that is there can still be taken beside a library") {
    const Outcome outcome = solve_by("prio", FROND_SCHEDULER_LIBRARY);
    CHECK(outcome.exit_code == 0);
    CHECK(Json::parse(outcome.out).at("frond").at("scheduler") == "prio");
}

TEST_CASE("what is wrong with a library or a name is said") {
    const Outcome unknown = solve_by("least_urgent", FROND_SCHEDULER_LIBRARY);
    CHECK(unknown.exit_code == 2);
    CHECK(unknown.err.find("'least_urgent' is not a scheduler of this StarPU, nor of STARPU_SCHED_LIB") !=
          std::string::npos);
    const Outcome missing = solve_by("most_urgent", "/nonexistent/library.so");
    CHECK(missing.exit_code == 2);
    CHECK(missing.err.find("STARPU_SCHED_LIB = '/nonexistent/library.so' cannot be loaded") != std::string::npos);
    const Outcome nameless = solve_by("most_urgent", "libc.so.6");
    CHECK(nameless.exit_code == 2);
    CHECK(nameless.err.find("STARPU_SCHED_LIB = 'libc.so.6' has no folder") != std::string::npos);
    const Outcome other = solve_by("most_urgent", library_of_malloc());
    CHECK(other.exit_code == 2);
    CHECK(other.err.find("no function starpu_get_sched_lib_policy") != std::string::npos);
}

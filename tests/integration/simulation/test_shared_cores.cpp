// SPDX-License-Identifier: BSD-3-Clause
// The thread that submits, where a machine has no more cores than workers, and where it has.
#include "requirement.hpp"
#include "run_program.hpp"
#include "simulated_models.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace frond::test;
using Json = nlohmann::json;

namespace {

/// By one worker.
Json factorization_on(int cores, const SimulatedModels& models) {
    const TemporaryFile machine(".json", machine_of_cores(cores));
    const Outcome outcome = run_frond({"simulate", "generate:poisson3d:24", "--machine", machine.path(), "--model",
                                       models.path(), "--workers", "2", "--cpu-workers", "1", "--json", "-"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return Json::parse(outcome.out).at("factorization");
}

double seconds_on(int cores, const SimulatedModels& models) {
    return factorization_on(cores, models).at("seconds").get<double>();
}

}  // namespace

TEST_SUITE("the simulation program") {
    TEST_CASE("submission takes its time from a worker, unless it has a core of its own") {
        constexpr double of_a_task = 5e-6;  // less than any task takes
        const SimulatedModels none(false, 0, 0), some(false, 0, of_a_task);
        const Json shared = factorization_on(1, some);
        const double all = of_a_task * shared.at("tasks").get<double>();
        const double before = seconds_on(1, none);
        const double more = shared.at("seconds").get<double>() - before;
        CHECK(more > 0.95 * all);
        CHECK(more < 1.05 * all);
        CHECK(seconds_on(2, some) - before < 0.1 * all);
    }
}

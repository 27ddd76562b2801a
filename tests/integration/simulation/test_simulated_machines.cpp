// SPDX-License-Identifier: BSD-3-Clause
// One simulation is compared with another: of the same machine, and of larger ones.
#include "requirement.hpp"
#include "run_program.hpp"
#include "simulated_models.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

using namespace frond::test;

namespace {

[[maybe_unused]] const bool program_required =
    require_for_suite("the simulation program", [] { return std::getenv("FROND_SIMULATION_PROGRAM") != nullptr; });

nlohmann::json run_on(const std::string& machine, const std::string& matrix, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"simulate", matrix, "--machine", machine, "--json", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_frond(arguments);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return nlohmann::json::parse(outcome.out);
}

}  // namespace

TEST_SUITE("the simulation program") {
    TEST_CASE("two simulations on 64 cores are the same in every digit") {
        const SimulatedModels models;
        const TemporaryFile machine(".json", machine_of_cores(64));
        for (const char* scheduler : {"lws", "prio", "dmda", "dmdas", "dmdar", "heteroprio", "random"}) {
            CAPTURE(scheduler);
            const std::vector<std::string> options{"--model",     models.path(), "--scheduler", scheduler,
                                                   "--tile-size", "32",          "--workers",   "64"};
            const nlohmann::json first = run_on(machine.path(), "generate:poisson3d:20", options);
            CHECK(first["frond"]["workers"]["cpu"] == 63);  // one core is left to the thread that submits
            const nlohmann::json second = run_on(machine.path(), "generate:poisson3d:20", options);
            CHECK(first.at("factorization").at("tasks").get<int>() > 1000);
            CHECK(first.at("factorization") == second.at("factorization"));
            CHECK(first.at("bounds") == second.at("bounds"));
        }
    }

    TEST_CASE("more cores and cards are not slower") {
        for (const char* matrix : {"generate:poisson3d:20", "generate:poisson3d:30"}) {
            CAPTURE(matrix);
            const auto seconds = [&](const char* machine) {
                return run_on(machine, matrix, {}).at("factorization").at("seconds").get<double>();
            };
            const double one = seconds("h200");
            CHECK(seconds("h200-x2") <= 1.25 * one);
            CHECK(seconds("h200-x8") <= 1.25 * one);
        }
    }
}

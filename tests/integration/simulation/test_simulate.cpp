// SPDX-License-Identifier: BSD-3-Clause
// frond simulate with the program of the simulation build, where FROND_SIMULATION_PROGRAM names one.
#include "requirement.hpp"
#include "run_program.hpp"
#include "simulated_models.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

using namespace frond::test;
using Json = nlohmann::json;

namespace {

[[maybe_unused]] const bool required =
    require_for_suite("the simulation program", [] { return std::getenv("FROND_SIMULATION_PROGRAM") != nullptr; });

std::string machine_with_cards(int cards) {
    return R"({"name": "c", "cores": 8, "memory_bytes": 8000000000, "cards": [{"model": "x", "count": )" +
           std::to_string(cards) +
           R"(, "memory_bytes": 20000000000, "link_bytes_per_second": 1e10, "link_seconds": 1e-5,
               "product_flops": 1e13, "product_source": "a guess"}]})";
}

Json simulated(const SimulatedModels& models, const std::string& file, std::vector<std::string> more,
               const std::string& matrix = "generate:poisson3d:16") {
    std::vector<std::string> arguments{"simulate", matrix, "--machine", file, "--model", models.path(), "--json", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_frond(arguments);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return Json::parse(outcome.out);
}

double seconds(const Json& run) { return run.at("factorization").at("seconds").get<double>(); }

}  // namespace

TEST_SUITE("the simulation program") {
    TEST_CASE("two simulations are the same, and more cores are quicker") {
        const SimulatedModels models;
        const TemporaryFile one(".json", machine_of_cores(1)), eight(".json", machine_of_cores(8));
        for (const char* factorization : {"llt", "ldlt", "lu"})
            for (const char* scheduler : {"lws", "prio", "dmdas"}) {
                CAPTURE(factorization);
                CAPTURE(scheduler);
                const std::vector<std::string> options{"--factorization", factorization, "--scheduler",
                                                       scheduler,         "--workers",   "8"};
                const Json first = simulated(models, eight.path(), options);
                const Json second = simulated(models, eight.path(), options);
                const Json slow = simulated(models, one.path(), options);
                CHECK(first.at("simulated") == true);
                CHECK(first.at("machine").at("cores") == 8);
                CHECK(first.at("factorization") == second.at("factorization"));
                CHECK(first.at("factorization").at("tasks") == slow.at("factorization").at("tasks"));
                const double work = 1e-10 * first.at("analysis").at("flops").get<double>();
                CHECK(seconds(slow) > work);
                CHECK(seconds(first) > work / 8);
                CHECK(seconds(first) < seconds(slow));
            }
    }

    TEST_CASE("cores of twice the speed halve the time") {
        const SimulatedModels models;
        std::string quick = machine_of_cores(4);
        quick.insert(quick.size() - 1, R"(, "core_speed": 2)");
        const TemporaryFile usual(".json", machine_of_cores(4)), fast(".json", quick);
        const double ratio = seconds(simulated(models, usual.path(), {"--workers", "4"})) /
                             seconds(simulated(models, fast.path(), {"--workers", "4"}));
        CHECK(ratio > 1.9);
        CHECK(ratio < 2.1);
    }

    TEST_CASE("new memory takes its time beside tasks") {
        constexpr double of_a_byte = 1e-8;
        const SimulatedModels without, with(false, of_a_byte);
        const TemporaryFile one(".json", machine_of_cores(1));
        for (const char* matrix : {"generate:poisson3d:16", "generate:poisson2d:120"}) {
            CAPTURE(matrix);
            const Json quick = simulated(without, one.path(), {"--workers", "1"}, matrix);
            const Json run = simulated(with, one.path(), {"--workers", "1"}, matrix);
            const double more = seconds(run) - seconds(quick);
            const auto bytes = [&](const char* key) { return run.at("factorization").at(key).get<double>(); };
            CHECK(more >=
                  0.9 * of_a_byte * bytes("factor_bytes"));  // of which some are the tree's, not memory of tasks
            CHECK(more <= 1.1 * of_a_byte * bytes("peak_bytes"));  // whole pages
        }
    }

    TEST_CASE("a tree on a card takes what the model of its piece says") {
        const SimulatedModels models(true);
        const TemporaryFile file(".json", machine_with_cards(1));
        const Json run = simulated(models, file.path(), {"--factor-place", "device"});
        CHECK(run.at("factorization").at("on_device") == true);
        CHECK(run.at("models").at("of_card") == true);
        const double piece = 0.5 + 1e-9 * run.at("analysis").at("flops").get<double>();
        CHECK(seconds(run) > piece);
        CHECK(seconds(run) < piece + 0.01);  // values to the card, and the host's work
        CHECK(run.at("factorization") ==
              simulated(models, file.path(), {"--factor-place", "device"}).at("factorization"));
    }

    TEST_CASE("without models of the card its rates serve, in pieces and on tiles") {
        const SimulatedModels models;
        const TemporaryFile one(".json", machine_with_cards(1));
        const std::string matrix = "generate:poisson3d:40";
        const Json whole = simulated(models, one.path(), {"--factor-place", "device"}, matrix);
        const Json pieces =
            simulated(models, one.path(), {"--factor-place", "device", "--gpu-memory-bytes", "60000000"}, matrix);
        const Json tiles = simulated(models, one.path(), {"--factor-place", "tasks"}, matrix);
        const Json cores = simulated(models, one.path(), {"--gpus", "0"}, matrix);
        CHECK(whole.at("models").at("of_card") == false);
        CHECK(seconds(whole) < seconds(pieces));
        CHECK(seconds(tiles) < seconds(cores));
        CHECK(tiles.at("factorization").at("on_device") == false);
    }

    TEST_CASE("a machine without the memory is said so") {
        const SimulatedModels models;
        const TemporaryFile small(".json", R"({"name": "s", "cores": 2, "memory_bytes": 2000000})");
        const Outcome outcome =
            run_frond({"simulate", "generate:poisson3d:16", "--machine", small.path(), "--model", models.path()});
        CHECK(outcome.exit_code == 3);
        CHECK(outcome.err.find("memory_budget_bytes is 2000000") != std::string::npos);
    }
}

TEST_CASE("what is wrong is said before a simulation starts") {
    const SimulatedModels models;
    const TemporaryFile wrong(".json", "{\"name\": \"x\",\n\"cores\": 2}"), two(".json", machine_of_cores(2));
    const auto run = [&](const std::string& file, const std::string& folder, const Environment& variables) {
        return run_frond({"simulate", "generate:poisson3d:4", "--machine", file, "--model", folder}, variables);
    };
    const Outcome refused = run(wrong.path(), models.path(), {});
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find(wrong.path() + " line 1: 'memory_bytes' is missing") != std::string::npos);
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{"simulate", "generate:poisson3d:4", "--machine", "h200"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_frond(arguments, {{"FROND_SIMULATION_PROGRAM", "/nonexistent"}});
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    CHECK(with({"--scheduler", "lws"}).find("the scheduler lws cannot serve cards") != std::string::npos);
    CHECK(with({"--gpus", "2"}).find("--gpus 2: the machine h200 has 1 card") != std::string::npos);
    const Outcome modelless = run(two.path(), "/nonexistent", {});
    CHECK(modelless.exit_code == 2);
    CHECK(modelless.err.find("/nonexistent/models.json") != std::string::npos);
    const Outcome alone = run(two.path(), models.path(), {{"FROND_SIMULATION_PROGRAM", "/nonexistent"}});
    CHECK(alone.exit_code == 3);
    CHECK(alone.err.find("docs/simulation.md") != std::string::npos);
}

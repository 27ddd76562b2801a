// SPDX-License-Identifier: BSD-3-Clause
// frond simulate with the program of the simulation build, where FROND_SIMULATION_PROGRAM names one.
#include "requirement.hpp"
#include "run_program.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace frond::test;
using Json = nlohmann::json;

namespace {

[[maybe_unused]] const bool required =
    require_for_suite("the simulation program", [] { return std::getenv("FROND_SIMULATION_PROGRAM") != nullptr; });

/// A folder with models in which every kind of task does 10 Gflop/s after 5 us.
class Models {
public:
    Models() {
        std::filesystem::create_directory(folder_.path());
        Json file = {{"processor", "none"}, {"date", "2026-11-24"}};
        for (const char* kind : {"task", "submit", "start", "system", "finish", "scaling", "scaling llt"})
            file["kinds"][kind] = {{"seconds", 1e-6}};
        for (const char* kind :
             {"factor_diagonal", "solve_panel", "factor_subtree", "accept_pivots", "gather_failed", "eliminate_failed"})
            for (const char* variant : {"llt", "ldlt", "lu", "lu upper"}) add(file, std::string(kind) + " " + variant);
        for (const char* variant : {"general", "transposed", "transposed ldlt", "lower", "lower same"})
            add(file, std::string("update_tile ") + variant);
        for (const char* variant : {"factors", "contribution"}) add(file, std::string("assemble_tile ") + variant);
        std::ofstream(folder_.path() + "/models.json") << file;
    }
    Models(const Models&) = delete;
    Models& operator=(const Models&) = delete;
    ~Models() { std::filesystem::remove_all(folder_.path()); }
    const std::string& path() const { return folder_.path(); }

private:
    static void add(Json& file, const std::string& kind) { file["kinds"][kind] = {{"seconds", 5e-6}, {"flop", 1e-10}}; }

    TemporaryFile folder_{".models"};
};

std::string machine(int cores) {
    return R"({"name": "m", "cores": )" + std::to_string(cores) + R"(, "memory_bytes": 8000000000})";
}

Json simulated(const Models& models, const std::string& file, std::vector<std::string> more) {
    std::vector<std::string> arguments{"simulate", "generate:poisson3d:16", "--machine", file,
                                       "--model",  models.path(),           "--json",    "-"};
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
        const Models models;
        const TemporaryFile one(".json", machine(1)), eight(".json", machine(8));
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
        const Models models;
        std::string quick = machine(4);
        quick.insert(quick.size() - 1, R"(, "core_speed": 2)");
        const TemporaryFile usual(".json", machine(4)), fast(".json", quick);
        const double ratio = seconds(simulated(models, usual.path(), {"--workers", "4"})) /
                             seconds(simulated(models, fast.path(), {"--workers", "4"}));
        CHECK(ratio > 1.9);
        CHECK(ratio < 2.1);
    }

    TEST_CASE("a machine without the memory is said so") {
        const Models models;
        const TemporaryFile small(".json", R"({"name": "s", "cores": 2, "memory_bytes": 2000000})");
        const Outcome outcome =
            run_frond({"simulate", "generate:poisson3d:16", "--machine", small.path(), "--model", models.path()});
        CHECK(outcome.exit_code == 3);
        CHECK(outcome.err.find("memory_budget_bytes is 2000000") != std::string::npos);
    }
}

TEST_CASE("what is wrong is said before a simulation starts") {
    const Models models;
    const TemporaryFile wrong(".json", "{\"name\": \"x\",\n\"cores\": 2}"), two(".json", machine(2));
    const auto run = [&](const std::string& file, const std::string& folder, const Environment& variables) {
        return run_frond({"simulate", "generate:poisson3d:4", "--machine", file, "--model", folder}, variables);
    };
    const Outcome refused = run(wrong.path(), models.path(), {});
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find(wrong.path() + " line 1: 'memory_bytes' is missing") != std::string::npos);
    const Outcome cards = run("h200", models.path(), {});
    CHECK(cards.exit_code == 2);
    CHECK(cards.err.find("--gpus 0 simulates its cores alone") != std::string::npos);
    const Outcome modelless = run(two.path(), "/nonexistent", {});
    CHECK(modelless.exit_code == 2);
    CHECK(modelless.err.find("/nonexistent/models.json") != std::string::npos);
    const Outcome alone = run(two.path(), models.path(), {{"FROND_SIMULATION_PROGRAM", "/nonexistent"}});
    CHECK(alone.exit_code == 3);
    CHECK(alone.err.find("docs/simulation.md") != std::string::npos);
}

// SPDX-License-Identifier: BSD-3-Clause
// What belongs to the machine that frond runs on has no effect on a simulated one; folders for results.
#include "program_files.hpp"
#include "run_program.hpp"
#include "simulated_models.hpp"
#include "system_folder.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

using namespace frond::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

Json json_of_study(const std::vector<std::string>& arguments) {
    const Outcome outcome = run_frond(arguments);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return Json::parse(outcome.out);
}

}  // namespace

TEST_SUITE("the simulation program") {
    TEST_CASE("the environment of real runs does not change a simulated machine") {
        const SimulatedModels models;
        const TemporaryFile eight(".json", machine_of_cores(8));
        const auto run = [&](const std::string& machine, const Environment& variables) {
            const Outcome outcome = run_frond({"simulate", "generate:poisson3d:16", "--machine", machine, "--model",
                                               models.path(), "--json", "-"},
                                              variables);
            CAPTURE(outcome.err);
            REQUIRE(outcome.exit_code == 0);
            for (const auto& [name, value] : variables)
                CHECK(contains(outcome.err, "the variable " + name + " is of the machine that frond runs on"));
            return Json::parse(outcome.out);
        };
        for (const std::string& machine : {eight.path(), std::string("h200")}) {
            const Json free = run(machine, {});
            for (const char* name : {"STARPU_NCPU", "FROND_CPU_WORKERS", "STARPU_NCUDA", "FROND_GPUS",
                                     "STARPU_LIMIT_CUDA_MEM", "STARPU_WORKERS_CPUID", "FROND_TUNING"}) {
                CAPTURE(name);
                const Json with = run(machine, {{name, "1"}});
                CHECK(with.at("factorization") == free.at("factorization"));
                CHECK(with.at("frond").at("workers") == free.at("frond").at("workers"));
            }
        }
    }

    TEST_CASE("a report may go into the folder of the trace, which is made first" *
              doctest::test_suite("the simulation program and traces")) {
        const SimulatedModels models;
        const TemporaryFile two(".json", machine_of_cores(2));
        const SystemFolder folder;
        const std::string trace = folder.path() + "/new";
        const auto simulate = [&](const std::string& matrix) {
            return run_frond({"simulate", matrix, "--machine", two.path(), "--model", models.path(), "--workers", "4",
                              "-o", trace, "--json", trace + "/run.json"})
                .exit_code;
        };
        CHECK(simulate("/nowhere.mtx") == 2);
        CHECK_FALSE(fs::exists(trace + "/trace.html"));
        CHECK(simulate("generate:poisson3d:16") == 0);
        CHECK(Json::parse(content_of(trace + "/run.json")).at("simulated") == true);
        CHECK(fs::exists(trace + "/trace.html"));
    }

    TEST_CASE("a study on cards says where schedulers have no influence, and compares them on tiles") {
        const std::vector<std::string> common{
            "study", "generate:poisson3d:30", "--machines", "h200", "--schedulers", "prio,dmdas", "--json", "-"};
        const Json pieces = json_of_study(common);
        REQUIRE(pieces.at("cases").size() == 2);
        for (const Json& one : pieces.at("cases")) {
            CHECK(one.at("on_device") == true);
            CHECK(one.at("tasks").get<int>() > 0);
        }
        CHECK(pieces["cases"][0]["seconds"] == pieces["cases"][1]["seconds"]);
        std::vector<std::string> tiles = common;
        tiles.insert(tiles.end(), {"--factor-place", "tasks", "--gpu-memory-bytes", "1000000000"});
        const Json compared = json_of_study(tiles);
        CHECK(compared == json_of_study(tiles));
        for (const Json& one : compared.at("cases")) {
            CHECK(one.at("on_device") == false);
            CHECK(one.at("tasks").get<int>() > 20);
        }
        CHECK(compared["cases"][0]["seconds"] != compared["cases"][1]["seconds"]);
        std::vector<std::string> cores = common;
        cores.insert(cores.end(), {"--gpus", "0"});
        for (const Json& one : json_of_study(cores).at("cases")) CHECK(one.at("on_device") == false);
    }
}

TEST_CASE("a simulation takes no tuning") {
    const Outcome outcome =
        run_frond({"simulate", "generate:poisson3d:4", "--machine", "cores-64", "--tuning", "/nope"});
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "--tuning /nope: a simulated machine takes no tuning"));
}

TEST_CASE("what a study cannot take is said before its first case") {
    const SimulatedModels models;
    const auto refused = [&](const std::vector<std::string>& more, const Environment& variables) {
        std::vector<std::string> arguments{"study",       "generate:poisson3d:4", "--model",
                                           models.path(), "--machines",           "cores-64"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_frond(arguments, variables);
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    CHECK(contains(refused({"--schedulers", "lws,nobody"}, {}), "'nobody' is not a scheduler of this StarPU"));
    CHECK(contains(refused({"--schedulers", "lws"}, {{"STARPU_SCHED_LIB", "/nope.so"}}),
                   "STARPU_SCHED_LIB = '/nope.so' cannot be loaded"));
    const Outcome replay =
        run_frond({"study", "--replay", "/nowhere.rec", "--schedulers", "lws"}, {{"STARPU_SCHED_LIB", "/nope.so"}});
    CHECK(replay.exit_code == 2);
    CHECK(contains(replay.err, "STARPU_SCHED_LIB = '/nope.so' cannot be loaded"));
}

// SPDX-License-Identifier: BSD-3-Clause
// What an interrupted simulation, study or tuning, or one on a full disk, leaves: nothing but finished cases.
#include "program_files.hpp"
#include "run_program.hpp"
#include "simulated_models.hpp"
#include "system_folder.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

using namespace frond::test;
namespace fs = std::filesystem;

namespace {

std::set<std::string> files_of(const std::string& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
    return names;
}

/// Ctrl-C on a terminal, when it shows the text. All that the program has started has ended when it returns, since the
/// terminal is open until then.
void check_interrupted(const std::vector<std::string>& arguments, const std::string& at,
                       const std::string& message = "interrupted: the work stopped, no result was written") {
    const SystemFolder temporary;
    const Outcome outcome = run_frond_on_terminal(arguments, {{"TMPDIR", temporary.path()}}, at);
    CAPTURE(outcome.out);
    CHECK(outcome.exit_code == 130);
    CHECK(contains(outcome.out, message));
    CHECK_FALSE(contains(outcome.out, "EngineImpl"));
    CHECK(files_of(temporary.path()).empty());
}

std::vector<std::string> long_simulation(const SimulatedModels& models) {
    return {"simulate", "generate:poisson3d:70", "--machine",      "cores-64",
            "--model",  models.path(),           "--factor-place", "tasks"};
}

}  // namespace

TEST_SUITE("the simulation program") {
    TEST_CASE("a simulation that is interrupted leaves nothing") {
        const SimulatedModels models;
        check_interrupted(long_simulation(models), "reading");
    }

    TEST_CASE("a simulation with a trace that is interrupted leaves nothing" *
              doctest::test_suite("the simulation program and traces")) {
        const SimulatedModels models;
        const SystemFolder folder;
        std::vector<std::string> arguments = long_simulation(models);
        arguments.insert(arguments.end(), {"-o", folder.path() + "/trace"});
        check_interrupted(arguments, "reading");
        CHECK(files_of(folder.path()).empty());
    }

    TEST_CASE("a study that is interrupted keeps the cases that were finished") {
        const SimulatedModels models;
        const SystemFolder folder;
        const std::string table = folder.path() + "/s.csv", file = folder.path() + "/s.json";
        check_interrupted({"study", "generate:poisson3d:8", "generate:poisson3d:70", "--machines", "cores-64",
                           "--schedulers", "prio", "--model", models.path(), "--csv", table, "--json", file},
                          "2 of 2", "interrupted: the results have 1 of 2 cases");
        const std::string lines = content_of(table);
        CHECK(std::count(lines.begin(), lines.end(), '\n') == 2);
        const auto study = nlohmann::json::parse(content_of(file));
        CHECK(study.at("interrupted") == true);
        CHECK(study.at("cases").size() == 1);
    }
}

TEST_CASE("tuning that is interrupted leaves nothing") {
    const SystemFolder folder;
    check_interrupted({"tune", "--gpus", "0", "-o", folder.path() + "/tuning.json"}, "finding the size");
    CHECK(files_of(folder.path()).empty());
}

TEST_CASE("a simulation on a full disk leaves no folder") {
    const SimulatedModels models;
    const SystemFolder temporary;
    Streams full;
    full.largest_file_bytes = 1000;  // less than what describes 64 cores
    const Outcome outcome =
        run_frond({"simulate", "generate:poisson3d:4", "--machine", "cores-64", "--model", models.path()},
                  {{"TMPDIR", temporary.path()}, {"FROND_SIMULATION_PROGRAM", "/bin/true"}}, full);
    CHECK(outcome.exit_code == 3);
    CHECK(files_of(temporary.path()).empty());
}

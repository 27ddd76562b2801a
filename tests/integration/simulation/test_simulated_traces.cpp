// SPDX-License-Identifier: BSD-3-Clause
// The page of a simulation, as frond trace writes it of a run.
#include "requirement.hpp"
#include "run_program.hpp"
#include "simulated_models.hpp"
#include "system_folder.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace frond::test;
namespace fs = std::filesystem;

namespace {

std::string text_of(const std::string& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// Lines of tasks.csv with that phase.
std::int64_t tasks_of_phase(const std::string& file, const std::string& phase) {
    std::ifstream stream(file);
    std::int64_t count = 0;
    for (std::string line; std::getline(stream, line);) count += line.find("," + phase + ",") != std::string::npos;
    return count;
}

}  // namespace

TEST_SUITE("the simulation program") {
    TEST_CASE("a simulation leaves the page of a trace, with every task once") {
        const SimulatedModels models;
        const TemporaryFile two(".json", machine_of_cores(2));
        const SystemFolder folder;
        const std::string trace = folder.path() + "/trace";
        const Outcome outcome = run_frond({"simulate", "generate:poisson3d:16", "--machine", two.path(), "--model",
                                           models.path(), "--workers", "4", "-o", trace, "--json", "-"});
        CAPTURE(outcome.err);
        if (!fs::exists(FROND_FXT_TOOL)) {
            CHECK(outcome.exit_code == 3);
            CHECK(outcome.err.find("without FxT") != std::string::npos);
            return;
        }
        REQUIRE(outcome.exit_code == 0);
        const nlohmann::json run = nlohmann::json::parse(outcome.out);
        CHECK(tasks_of_phase(trace + "/tasks.csv", "factorization") ==
              run.at("factorization").at("tasks").get<std::int64_t>());
        CHECK(text_of(trace + "/trace.html").find("simulated on") != std::string::npos);
        for (const char* name : {"paje.trace", "tasks.rec", "dag.dot"}) CHECK(fs::exists(trace + "/" + name));
        CHECK(std::distance(fs::directory_iterator(trace), fs::directory_iterator()) == 5);  // nothing half
    }
}

TEST_CASE("simulated ranks leave no trace, and that is said") {
    const SimulatedModels models;
    const Outcome outcome = run_frond({"simulate", "generate:poisson3d:4", "--machine", "nodes-16", "--ranks", "2",
                                       "--model", models.path(), "-o", "nowhere"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("leave -o out") != std::string::npos);
    CHECK(!fs::exists("nowhere"));
}

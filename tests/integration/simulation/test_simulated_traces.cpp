// SPDX-License-Identifier: BSD-3-Clause
// The page of a simulation, as frond trace writes it of a run.
#include "browser.hpp"
#include "requirement.hpp"
#include "run_program.hpp"
#include "simulated_models.hpp"
#include "system_folder.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace frond::test;
namespace fs = std::filesystem;

namespace {

[[maybe_unused]] const bool browser_suite_is_known = require_for_suite("simulated traces and a browser", [] {
    return std::getenv("FROND_SIMULATION_PROGRAM") != nullptr && fs::exists(FROND_FXT_TOOL) && !browser().empty();
});

/// A wheel's turn, a click on a kind, and what is written on the timeline then.
constexpr const char* clicks_and_wheel = R"(
let errors = 0;
window.addEventListener('error', () => ++errors);
const state = document.body.dataset, gantt = document.getElementById('gantt'), written = [];
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
  written.push(text);
  return write.call(this, text, ...place);
};
const before = state.to - state.from, box = gantt.getBoundingClientRect();
gantt.dispatchEvent(new WheelEvent('wheel', {clientX: box.left + 500, clientY: box.top + 40, ctrlKey: true,
  deltaY: -100, bubbles: true, cancelable: true}));
await new Promise(done => setTimeout(done, 300));
const narrower = state.to - state.from < before;
document.querySelectorAll('#legend button')[0].click();
document.getElementById('curves').dispatchEvent(new PointerEvent('pointerleave'));
await new Promise(done => setTimeout(done, 300));
state.told = JSON.stringify({errors, narrower, text: written.join(' '),
  links: written.some(text => text.includes('\u2192') || text.includes(' to '))});
)";

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

TEST_SUITE("simulated traces and a browser") {
    TEST_CASE("the page of simulated tiles on a card opens, with links, memories and workers of both kinds") {
        const SystemFolder folder;
        const std::string trace = folder.path() + "/trace", page = trace + "/trace.html";
        const Outcome outcome = run_frond(
            {"simulate", "generate:poisson3d:36", "--machine", "h200", "--factor-place", "tasks", "-o", trace});
        CAPTURE(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        const std::map<std::string, std::string> first = attributes_of_page(page, "");
        CHECK(first.count("error") == 0);
        REQUIRE(first.count("ready") == 1);
        CHECK(first.at("phase") == "factorization");
        for (const char* name : {"\"CPU 0\"", "\"CUDA 0_0\"", "\"main memory\"", "\"memory of CUDA 0\""}) {
            CAPTURE(name);
            CHECK(text_of(page).find(name) != std::string::npos);
        }
        const std::map<std::string, std::string> acted = attributes_of_page(page, clicks_and_wheel);
        CHECK(acted.count("error") == 0);
        REQUIRE(acted.count("told") == 1);
        const nlohmann::json told = nlohmann::json::parse(acted.at("told"));
        CAPTURE(told.dump());
        CHECK(told["errors"] == 0);
        CHECK(told["narrower"] == true);
        CHECK(told["text"].get<std::string>().find("CUDA 0") != std::string::npos);
        CHECK(told["links"] == true);
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

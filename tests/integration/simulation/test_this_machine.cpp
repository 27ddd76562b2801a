// SPDX-License-Identifier: BSD-3-Clause
// The machine `this`, with the cards that frond uses here: none, real ones, or the emulated device of a build for tests.
#include "frond/gpu/devices.hpp"
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

[[maybe_unused]] const bool simulation_required =
    require_for_suite("the simulation program", [] { return std::getenv("FROND_SIMULATION_PROGRAM") != nullptr; });

Json answer_of(std::vector<std::string> arguments, const Environment& variables = {}) {
    arguments.insert(arguments.end(), {"--json", "-"});
    const Outcome outcome = run_frond(arguments, variables);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return Json::parse(outcome.out);
}

/// The cards that this build uses here.
int cards_in_use() {
    if (frond::gpu::vendor_of_build() == frond::DeviceVendor::emulated) return 1;
    int count = 0;
    for (const Json& gpu : answer_of({"info"}).at("gpus")) count += gpu.at("used").get<bool>() ? 1 : 0;
    return count;
}

int cards_of(const Json& machine) {
    int count = 0;
    if (machine.contains("cards"))
        for (const Json& cards : machine.at("cards")) count += cards.at("count").get<int>();
    return count;
}

}  // namespace

TEST_SUITE("the simulation program") {
    TEST_CASE("this machine is simulated with the cards that are used here") {
        const SimulatedModels models;
        const std::vector<std::string> simulate{"simulate", "generate:poisson3d:12", "--model", models.path()};
        const int cards = cards_in_use();
        const Json run = answer_of(simulate), again = answer_of(simulate, {{"STARPU_SCHED", "dmda"}});
        CHECK(cards_of(run.at("machine")) == cards);
        CHECK(cards_of(again.at("machine")) == cards);
        CHECK(run.at("machine").at("name") == "this");
        CHECK(run.at("frond").at("workers").at("cuda") == cards);
        if (cards > 0) {
            const Json& first = run.at("machine").at("cards").at(0);
            CHECK(first.at("product_flops").get<double>() > 1e9);
            CHECK(first.at("product_source").get<std::string>().starts_with("measured on 20"));
        } else {
            CHECK(run.at("machine").at("about") == "the machine that frond ran on, without its cards");
        }
    }

    TEST_CASE("no card is measured or simulated where none is asked for") {
        const SimulatedModels models;
        const Json run = answer_of({"simulate", "generate:poisson3d:12", "--model", models.path(), "--gpus", "0"});
        CHECK_FALSE(run.at("machine").contains("cards"));
        CHECK(run.at("frond").at("workers").at("cuda") == 0);
        const Outcome more = run_frond({"simulate", "generate:poisson3d:12", "--model", models.path(), "--gpus",
                                        std::to_string(cards_in_use() + 1)});
        CHECK(more.exit_code == 2);
        CHECK(more.err.find("the machine this has ") != std::string::npos);
    }

    TEST_CASE("a study runs for real on the cards that it simulates") {
        const SimulatedModels models;
        const int cards = cards_in_use();
        std::vector<std::string> study{"study", "generate:poisson3d:8", "--model", models.path(), "--run", "--repeat",
                                       "1"};
        if (cards > 0) study.insert(study.end(), {"--factor-place", "device"});
        for (const Json& one : answer_of(study).at("cases")) {
            CHECK(one.at("on_device") == (cards > 0));
            CHECK(one.at("run_on_cards") == (cards > 0));
            CHECK(one.at("runs").size() == 1);
        }
    }
}

// SPDX-License-Identifier: BSD-3-Clause
#include "tune/candidates.hpp"
#include "tune/problems.hpp"

#include "frond/base/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace frond;
using namespace frond::cli;

namespace {

Measurements machine_with(index_t workers) {
    Measurements measured;
    measured.machine = {"A Processor", workers, "", 0};
    measured.workers = workers;
    measured.tile_rates = {{64, 4e10}, {96, 7e10}, {128, 8.6e10}, {256, 9.9e10}, {512, 1e11}};
    measured.submit_seconds = 2e-6;
    return measured;
}

std::set<std::string> choices(const std::string& name, const Measurements& measured, const Tuning& base = {}) {
    std::set<std::string> all;
    for (const Candidate& candidate : knob(name, measured, base).candidates) all.insert(differences(candidate.tuning));
    return all;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TEST_CASE("tiles are as small and as large as kernels keep their rate") {
    const TileBounds bounds = tile_bounds(machine_with(2).tile_rates);
    CHECK(bounds.smallest == 128);
    CHECK(bounds.largest == 256);
    CHECK(tile_bounds({{64, 5}, {128, 5}}).smallest == 64);
    CHECK(tile_bounds({{64, 5}, {128, 5}}).largest == 64);
    CHECK(tile_bounds({}).smallest == 0);
    CHECK(tile_bounds({{64, 0}}).largest == 0);
}

TEST_CASE("what equals the best so far is no candidate") {
    const Measurements measured = machine_with(2);
    CHECK(choices("scheduler", measured) == std::set<std::string>{"scheduler prio", "scheduler dmdas", "scheduler ws"});
    Tuning prio;
    prio.scheduler = "prio";
    CHECK(choices("scheduler", measured, prio) == std::set<std::string>{"scheduler dmdas", "scheduler ws"});
    CHECK(choices("subtrees", measured).size() == 2);
    for (const Candidate& candidate : knob("tiles", measured, prio).candidates)
        CHECK(candidate.tuning.scheduler == "prio");
}

TEST_CASE("cores are left free, and hardware threads taken, where there are such") {
    CHECK(choices("workers", machine_with(1)).empty());
    CHECK(choices("workers", machine_with(2)) == std::set<std::string>{"workers not bound"});
    Measurements many = machine_with(16);
    many.topology.threads_per_core = 2;
    CHECK(choices("workers", many) ==
          std::set<std::string>{"15 CPU workers", "14 CPU workers", "32 CPU workers", "workers not bound"});
    many.machine.cores = 34;  // hardware threads of 17 cores, of which one was left free
    CHECK(choices("workers", many).count("17 CPU workers") == 1);
    CHECK(choices("workers", many).count("34 CPU workers") == 1);
    many.machine.cards = 1;
    CHECK(choices("workers", many).count("32 CPU workers") == 0);
}

TEST_CASE("schedulers that cannot serve cards are no candidates there, and cards have knobs of their own") {
    Measurements measured = machine_with(16);
    CHECK_FALSE(has(knob_names(measured), "cards"));
    measured.machine.cards = 1;
    measured.workers_per_card = 5;
    CHECK(has(knob_names(measured), "cards"));
    CHECK(choices("scheduler", measured) == std::set<std::string>{"scheduler dmda", "scheduler dmdar"});
    CHECK(choices("cards", measured).count("2 workers a card") == 1);
    CHECK(choices("cards", measured).count("tiles of 2048 for cards") == 1);
}

TEST_CASE("tiles follow the measured time of submission where that makes a difference") {
    Measurements measured = machine_with(64);
    CHECK(choices("submission", measured).empty());  // 8e5 operations, as shipped
    measured.submit_seconds = 8e-6;
    const Knob slower = knob("submission", measured, {});
    REQUIRE(slower.candidates.size() == 1);
    CHECK(slower.candidates.front().tuning.tree_cut.operations_of_submission == 32e5);
    measured.submit_seconds = 0;
    CHECK(choices("submission", measured).empty());
}

TEST_CASE("there is no other knob") { CHECK_THROWS_AS(knob("colour", machine_with(2), {}), InvalidArgument); }

TEST_CASE("problems to verify by are others than those to choose by, and have the sizes that are asked for") {
    for (const double flops : {1e7, 1e10, 1e12})
        for (const bool cards : {false, true}) {
            std::set<std::string> names;
            for (const TuneProblem& problem : problems_to_choose_by(flops, cards)) names.insert(problem.title());
            CHECK(names.size() == 3);
            for (const TuneProblem& problem : problems_to_verify_by(flops, cards)) names.insert(problem.title());
            CHECK(names.size() >= (flops < 1e8 ? 6 : 8));  // the smallest grids are alike
        }
    const std::vector<TuneProblem> large = large_problems(8 * 4.7e8);
    REQUIRE(large.size() == 4);
    CHECK(large[0].title() == "elasticity3d:17 by llt");  // 12 (8)^(1 / 6.06)
    CHECK(large_problems(8 * 1.4e10)[2].title() == "poisson2d:1000 by llt");
    CHECK(problems_to_choose_by(1.78e9, false).front().name == "generate:poisson3d:30");
    CHECK(problems_to_choose_by(1e9, true).back().title().ends_with(", tasks"));
}

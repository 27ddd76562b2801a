// SPDX-License-Identifier: BSD-3-Clause
// frond simulate --ranks on nodes that have cards, with the program of the simulation build.
#include "run_program.hpp"
#include "simulated_models.hpp"
#include "simulated_rank_runs.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace frond::test;
using Json = nlohmann::json;

namespace {

constexpr double between_card_schedulers = 0.03, between_clocks = 0.01;
constexpr double piece_seconds = 0.5;  // of SimulatedModels

struct Card {
    int count = 1;
    double memory_bytes = 2e10, link_bytes_per_second = 1e10;
};

std::string nodes_of_cards(int nodes, const Card& card = {}) {
    Json machine = Json::parse(machine_of_cores(16, card.count, card.link_bytes_per_second));
    machine["cards"][0]["memory_bytes"] = static_cast<std::int64_t>(card.memory_bytes);
    machine["nodes"] = nodes;
    machine["network"] = {{"bytes_per_second", 1e10}, {"latency_seconds", 2e-6}, {"message_seconds", 1e-5}};
    return machine.dump();
}

double least_of_ranks(const Json& run, const char* key) {
    double least = run.at("ranks").at(0).at(key).get<double>();
    for (const Json& rank : run.at("ranks")) least = std::min(least, rank.at(key).get<double>());
    return least;
}

void check_plan(const Json& run) {
    for (const Json& rank : run.at("ranks"))
        for (const std::string key : {"bytes_sent", "bytes_received", "messages_sent", "messages_received"})
            CHECK(rank.at(key) == rank.at(key + "_predicted"));
    CHECK(sum_over_ranks(run, "bytes_sent") > 0);
    CHECK(sum_over_ranks(run, "flops") ==
          doctest::Approx(run.at("analysis").at("flops").get<double>()).epsilon(counted_flops));
    for (const auto& bound : run.at("cluster").at("bounds").items()) {
        CAPTURE(bound.key());
        CHECK(bound.value().get<double>() < time_of(run));
    }
    for (const char* key : {"card_work_seconds", "largest_cards_seconds", "path_seconds", "link_seconds"})
        CHECK(run.at("cluster").at("bounds").at(key).get<double>() > 0);
}

}  // namespace

TEST_SUITE("the simulation program") {
    TEST_CASE("ranks with cards send what was planned, and their cards work, the same each time") {
        const SimulatedModels models;
        const TemporaryFile nodes(".json", nodes_of_cards(5)), pairs(".json", nodes_of_cards(5, {2}));
        const std::vector<std::vector<std::string>> kinds{{"--factorization", "llt"},
                                                          {"--factorization", "ldlt"},
                                                          {"--factorization", "lu", "--pivoting", "static"}};
        for (std::vector<std::string> kind : kinds)
            for (const char* place : {"tasks", "automatic"})
                for (const int ranks : {2, 5}) {
                    CAPTURE(kind[1]);
                    CAPTURE(place);
                    CAPTURE(ranks);
                    std::vector<std::string> options = kind;
                    options.insert(options.end(), {"--factor-place", place});
                    const auto arguments =
                        on_ranks_arguments(models, (ranks == 5 ? pairs : nodes).path(), ranks, options);
                    const Json run = printed_json(arguments);
                    check_plan(run);
                    CHECK(run.at("cluster").at("cards") == (ranks == 5 ? 2 : 1));
                    for (const std::string key : {"card_busy_seconds", "card_peak_bytes", "bytes_to_devices"}) {
                        CAPTURE(key);
                        CHECK(least_of_ranks(run, key.c_str()) > 0);
                    }
                    CHECK(sum_over_ranks(run, "bytes_from_devices") > 0);  // what nobody else reads stays
                    CHECK(run.at("factorization").at("bytes_to_devices") == sum_over_ranks(run, "bytes_to_devices"));
                    if (ranks != 5) continue;
                    const Json again = printed_json(arguments);
                    for (const char* part : {"ranks", "factorization", "cluster"})
                        CHECK(again.at(part) == run.at(part));
                }
    }

    TEST_CASE("one rank with a card takes about as long as StarPU's tasks by priority, and as its pieces") {
        const SimulatedModels models, of_card(true);
        const TemporaryFile node(".json", nodes_of_cards(2)), alone(".json", machine_of_cores(16, 1));
        const auto times = [&](const SimulatedModels& by, const std::vector<std::string>& options) {
            const Json own = printed_json(on_ranks_arguments(by, node.path(), 1, options));
            std::vector<std::string> arguments{
                "simulate", "generate:poisson3d:28", "--machine", alone.path(), "--model", by.path(), "--json",
                "-",        "--scheduler",           "prio"};
            arguments.insert(arguments.end(), options.begin(), options.end());
            const Json starpu = printed_json(arguments);
            CHECK(own.at("factorization").at("tasks") == starpu.at("factorization").at("tasks"));
            CHECK(own.at("cluster").at("efficiency") == 1);
            return std::pair{time_of(own), time_of(starpu)};
        };
        const auto tasks = times(models, {"--factorization", "llt", "--factor-place", "tasks", "--workers", "10"});
        CHECK(tasks.first == doctest::Approx(tasks.second).epsilon(between_card_schedulers));
        const auto pieces = times(of_card, {"--factorization", "llt", "--factor-place", "device", "--workers", "10"});
        CHECK(pieces.second > piece_seconds);
        CHECK(pieces.first == doctest::Approx(pieces.second).epsilon(between_clocks));
    }

    TEST_CASE("the branches of a rank are one piece on its card, by the model of pieces") {
        const SimulatedModels models(true);
        const TemporaryFile nodes(".json", nodes_of_cards(2));
        const Json at_once = printed_json(on_ranks_arguments(models, nodes.path(), 2, {"--factorization", "llt"}));
        const Json by_tasks = printed_json(
            on_ranks_arguments(models, nodes.path(), 2, {"--factorization", "llt", "--factor-place", "tasks"}));
        CHECK(least_of_ranks(at_once, "card_busy_seconds") > piece_seconds);
        CHECK(time_of(at_once) > piece_seconds);
        CHECK(time_of(by_tasks) < piece_seconds);
        CHECK(at_once.at("factorization").at("tasks").get<int>() < by_tasks.at("factorization").at("tasks").get<int>());
        CHECK(sum_over_ranks(at_once, "bytes_sent") == sum_over_ranks(by_tasks, "bytes_sent"));
        CHECK(sum_over_ranks(at_once, "busy_seconds") < sum_over_ranks(by_tasks, "busy_seconds"));
    }

    TEST_CASE("a little tree stays on rank 0, as pieces on its card") {
        const SimulatedModels models;
        const TemporaryFile nodes(".json", nodes_of_cards(2));
        const Json run = printed_json(
            on_ranks_arguments(models, nodes.path(), 2, {"--factorization", "llt"}, "generate:poisson3d:18"));
        CHECK(sum_over_ranks(run, "bytes_sent") == 0);
        CHECK(run.at("factorization").at("on_device") == true);
    }

    TEST_CASE("a slower link and too little memory of a card are seen") {
        const SimulatedModels models;
        const std::vector<std::string> options{"--factorization", "llt", "--factor-place", "tasks"};
        const TemporaryFile quick(".json", nodes_of_cards(2)), slow(".json", nodes_of_cards(2, {1, 2e10, 1e8})),
            small(".json", nodes_of_cards(2, {1, 4e6}));
        const Json near = printed_json(on_ranks_arguments(models, quick.path(), 2, options)),
                   far = printed_json(on_ranks_arguments(models, slow.path(), 2, options));
        CHECK(time_of(far) > time_of(near) + 0.1);
        const Outcome refused = run_frond(on_ranks_arguments(models, small.path(), 2, options));
        CHECK(refused.exit_code == 3);
        CHECK(refused.err.find("what leaves a card for lack of memory is not simulated on ranks") != std::string::npos);
    }
}

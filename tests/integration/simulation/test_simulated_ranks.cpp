// SPDX-License-Identifier: BSD-3-Clause
// frond simulate --ranks with the program of the simulation build, where FROND_SIMULATION_PROGRAM names one.
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

constexpr double between_schedulers = 0.02;

std::string machine_of_nodes(int nodes, int cores, const std::string& latency = "2e-6") {
    return R"({"name": "n", "nodes": )" + std::to_string(nodes) +
           R"(, "network": {"bytes_per_second": 1e10, "latency_seconds": )" + latency +
           R"(, "message_seconds": 1e-5}, "cores": )" + std::to_string(cores) + R"(, "memory_bytes": 8000000000})";
}

Json on_ranks(const SimulatedModels& models, const std::string& machine, int ranks,
              const std::vector<std::string>& more = {}, const std::string& matrix = "generate:poisson3d:28") {
    return printed_json(on_ranks_arguments(models, machine, ranks, more, matrix));
}

}  // namespace

TEST_SUITE("the simulation program") {
    TEST_CASE("simulated ranks send what was planned, and do all the work, the same each time") {
        const SimulatedModels models;
        const TemporaryFile nodes(".json", machine_of_nodes(8, 4));
        const std::vector<std::vector<std::string>> kinds{{"--factorization", "llt"},
                                                          {"--factorization", "ldlt"},
                                                          {"--factorization", "ldlt", "--pivoting", "static"},
                                                          {"--factorization", "lu", "--pivoting", "static"}};
        for (const auto& kind : kinds)
            for (const int ranks : {2, 5, 8}) {
                CAPTURE(kind.back());
                CAPTURE(ranks);
                const Json run = on_ranks(models, nodes.path(), ranks, kind);
                REQUIRE(run.at("ranks").size() == static_cast<std::size_t>(ranks));
                for (const Json& rank : run.at("ranks"))
                    for (const std::string key : {"bytes_sent", "bytes_received", "messages_sent", "messages_received"})
                        CHECK(rank.at(key) == rank.at(key + "_predicted"));
                CHECK(sum_over_ranks(run, "bytes_sent") > 0);
                CHECK(sum_over_ranks(run, "bytes_sent") == sum_over_ranks(run, "bytes_received"));
                CHECK(sum_over_ranks(run, "flops") ==
                      doctest::Approx(run.at("analysis").at("flops").get<double>()).epsilon(counted_flops));
                const Json& cluster = run.at("cluster");
                for (const auto& bound : cluster.at("bounds").items()) {
                    CAPTURE(bound.key());
                    CHECK(bound.value().get<double>() > 0);
                    CHECK(bound.value().get<double>() < time_of(run));
                }
                CHECK(cluster.at("efficiency").get<double>() > 0);
                CHECK(cluster.at("efficiency").get<double>() ==
                      doctest::Approx(cluster.at("one_rank_seconds").get<double>() / ranks / time_of(run)));
                if (ranks != 5) continue;
                const Json again = on_ranks(models, nodes.path(), ranks, kind);
                for (const char* part : {"ranks", "factorization", "cluster"}) CHECK(again.at(part) == run.at(part));
            }
    }

    TEST_CASE("frond analyze --ranks predicts what simulated ranks send") {
        const SimulatedModels models;
        const TemporaryFile nodes(".json", machine_of_nodes(4, 2));
        const std::vector<std::string> options{"--factorization", "llt", "--cpu-workers", "1", "--workers", "4"};
        std::vector<std::string> arguments{"analyze", "generate:poisson3d:40", "--ranks", "4", "--json", "-"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Json planned = printed_json(arguments);
        const Json run = on_ranks(models, nodes.path(), 4, options, "generate:poisson3d:40");
        for (std::size_t r = 0; r < 4; ++r) {
            const Json &plan = planned.at("ranks").at(r), &rank = run.at("ranks").at(r);
            CHECK(rank.at("bytes_sent") == plan.at("bytes_sent"));
            CHECK(rank.at("bytes_received") == plan.at("bytes_received"));
            CHECK(rank.at("messages_sent") == plan.at("messages_sent"));
            CHECK(rank.at("messages_received") == plan.at("messages_received"));
        }
    }

    TEST_CASE("one simulated rank takes about as long as StarPU's tasks by priority") {
        const SimulatedModels models;
        const TemporaryFile node(".json", machine_of_cores(4)), with_another_core(".json", machine_of_cores(5));
        const std::string matrix = "generate:poisson3d:28";
        const Json own = on_ranks(models, node.path(), 1, {"--factorization", "llt"}, matrix);
        const Json starpu = printed_json({"simulate", matrix, "--machine", with_another_core.path(), "--model",
                                          models.path(), "--workers", "4", "--cpu-workers", "4", "--factorization",
                                          "llt", "--scheduler", "prio", "--json", "-"});
        CHECK(own.at("factorization").at("tasks") == starpu.at("factorization").at("tasks"));
        CHECK(time_of(own) == doctest::Approx(time_of(starpu)).epsilon(between_schedulers));
        CHECK(own.at("ranks").size() == 1);
        CHECK(own.at("cluster").at("efficiency") == 1);
    }

    TEST_CASE("a slower network and less memory are seen") {
        const SimulatedModels models;
        const TemporaryFile quick(".json", machine_of_nodes(4, 4)), slow(".json", machine_of_nodes(4, 4, "1e-3"));
        const Json near = on_ranks(models, quick.path(), 4), far = on_ranks(models, slow.path(), 4);
        CHECK(time_of(far) > time_of(near) + 5e-3);
        CHECK(far.at("cluster").at("one_rank_seconds") == near.at("cluster").at("one_rank_seconds"));
        const Outcome refused = run_frond({"simulate", "generate:poisson3d:28", "--machine", quick.path(), "--ranks",
                                           "4", "--model", models.path(), "--memory-budget-bytes", "20000000"});
        CHECK(refused.exit_code == 3);
        CHECK(refused.err.find("memory_budget_bytes is 20000000") != std::string::npos);
    }
}

TEST_CASE("ranks that cannot be simulated are refused with a reason") {
    const SimulatedModels models;
    const TemporaryFile nodes(".json", machine_of_nodes(2, 2));
    const auto refusal = [&](const std::string& machine, const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"simulate", "generate:poisson3d:4", "--machine", machine,
                                           "--model",  models.path()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_frond(arguments, {{"FROND_SIMULATION_PROGRAM", "/nonexistent"}});
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    CHECK(refusal(nodes.path(), {"--ranks", "3"}).find("--ranks 3: the machine n has 2 nodes") != std::string::npos);
    CHECK(refusal("cores-64", {"--ranks", "2"}).find("the machine cores-64 has 1 node") != std::string::npos);
    CHECK(refusal("h200", {"--ranks", "2"}).find("the machine h200 has 1 node") != std::string::npos);
    CHECK(refusal("nodes-16-h200", {"--ranks", "2", "--factor-place", "device"})
              .find("leave --factor-place device out") != std::string::npos);
    CHECK(refusal("nodes-16-h200", {"--ranks", "2", "--gpus", "2"}).find("the machine nodes-16-h200 has 1 card") !=
          std::string::npos);
    CHECK(refusal(nodes.path(), {"--ranks", "2", "--scheduler", "lws"}).find("leave --scheduler out") !=
          std::string::npos);
}

// SPDX-License-Identifier: BSD-3-Clause
// frond simulate --pivots: the simulated tasks have the operations of those that a real run recorded.
#include "run_program.hpp"
#include "simulated_models.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>

using namespace frond::test;
using Json = nlohmann::json;

namespace {

using Arguments = std::vector<std::string>;

Arguments together(Arguments first, const Arguments& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// Real, with its pivots in the file.
Json recorded(const std::string& matrix, const std::string& pivots, const Arguments& options) {
    const Outcome outcome =
        run_frond(together({"solve", matrix, "--json", "-", "--gpus", "0", "--record-pivots", pivots}, options));
    CAPTURE(outcome.err);
    REQUIRE((outcome.exit_code == 0 || outcome.exit_code == 4));
    return Json::parse(outcome.out).at("factorization");
}

Outcome simulate(const std::string& matrix, const Arguments& options, const std::string& machine_file) {
    const SimulatedModels models;
    return run_frond(
        together({"simulate", matrix, "--json", "-", "--machine", machine_file, "--model", models.path()}, options));
}

Json simulated(const std::string& matrix, const Arguments& options) {
    const TemporaryFile cores(".json", machine_of_cores(2));
    const Outcome outcome = simulate(matrix, options, cores.path());
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return Json::parse(outcome.out).at("factorization");
}

/// diag(I, C(gap), C(0)) with C(g) = [1 1; 1 1 + g]: with one null pivot, and one that may be taken for another.
std::string text_with_rank_gap() {
    std::string text = "%%MatrixMarket matrix coordinate real symmetric\n40 40 42\n";
    const auto add = [&text](int row, int column, const char* value) {
        text += std::to_string(row) + " " + std::to_string(column) + " " + value + "\n";
    };
    for (int i = 1; i <= 40; ++i) add(i, i, i == 38 ? "1.000000000004" : "1");
    add(38, 37, "1");
    add(40, 39, "1");
    return text;
}

constexpr double rounding = 1e-12;  // relative: sums of the same numbers in another order

void check_same_work(const std::string& matrix, const Arguments& options) {
    CAPTURE(matrix);
    const TemporaryFile pivots(".json");
    const Json real = recorded(matrix, pivots.path(), options);
    const Json bare = simulated(matrix, options);
    const Json replayed = simulated(matrix, together(options, {"--pivots", pivots.path()}));
    CHECK(real.at("delayed").get<long>() > 0);
    for (const char* count : {"tasks", "subtree_tasks", "delayed", "second_pass"}) {
        CAPTURE(count);
        CHECK(replayed.at(count) == real.at(count));
    }
    const double flops = real.at("flops").get<double>();
    CHECK(std::abs(replayed.at("flops").get<double>() - flops) < rounding * flops);
    CHECK(bare.at("flops").get<double>() < (1 - 1e-4) * flops);
    CHECK(bare.at("seconds").get<double>() < replayed.at("seconds").get<double>());
}

}  // namespace

TEST_SUITE("the simulation program") {
    TEST_CASE("with recorded pivots tasks and operations are those of the real run") {
        const Arguments options{"--workers", "4", "--matching", "off"};
        check_same_work("generate:kkt:14", together(options, {"--factorization", "ldlt"}));
        check_same_work("generate:kkt:12", together(options, {"--factorization", "lu"}));
    }

    TEST_CASE("a run that was repeated for its null columns is repeated") {
        const TemporaryFile pivots(".json"), matrix(".mtx", text_with_rank_gap());
        const Arguments options{"--factorization", "ldlt"};
        const Json real = recorded(matrix.path(), pivots.path(), options);
        REQUIRE(real.at("repeated_for_rank") == true);
        const Json replayed = simulated(matrix.path(), together(options, {"--pivots", pivots.path()}));
        CHECK(replayed.at("flops") == real.at("flops"));
        CHECK(replayed.at("repeated_for_rank") == true);
        CHECK(replayed.at("tasks") == real.at("tasks"));
    }

    TEST_CASE("pivots of another analysis are refused, and so are cards that would factor the tree") {
        const TemporaryFile pivots(".json"), cores(".json", machine_of_cores(2));
        recorded("generate:kkt:10", pivots.path(), {"--workers", "4", "--tile-size", "32", "--matching", "off"});
        const auto refused = [&](const std::string& matrix, const Arguments& options) {
            const Outcome outcome = simulate(matrix, together({"--pivots", pivots.path()}, options), cores.path());
            CHECK(outcome.exit_code == 2);
            return outcome.err;
        };
        CHECK(refused("generate:kkt:6", {}).find("it is of another matrix, generate:kkt:10") != std::string::npos);
        CHECK(refused("generate:kkt:10", {"--workers", "4", "--matching", "off"})
                  .find("cut for 4 workers with tiles of 32") != std::string::npos);
        const Outcome on_card =
            run_frond({"simulate", "generate:kkt:10", "--machine", "h200", "--pivots", pivots.path()});
        CHECK(on_card.exit_code == 2);
        CHECK(on_card.err.find("give --factor-place tasks, or --gpus 0") != std::string::npos);
    }
}

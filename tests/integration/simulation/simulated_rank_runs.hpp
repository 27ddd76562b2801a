// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run_program.hpp"
#include "simulated_models.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace frond::test {

inline constexpr double counted_flops = 1e-3;  // of tasks of simulated ranks, over those of fronts

/// The JSON of a command that prints one; it must end well.
inline nlohmann::json printed_json(const std::vector<std::string>& arguments) {
    const Outcome outcome = run_frond(arguments);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return nlohmann::json::parse(outcome.out);
}

/// The command that simulates ranks and prints JSON.
inline std::vector<std::string> on_ranks_arguments(const SimulatedModels& models, const std::string& machine, int ranks,
                                                   const std::vector<std::string>& more = {},
                                                   const std::string& matrix = "generate:poisson3d:28") {
    std::vector<std::string> arguments{"simulate", matrix,        "--machine",
                                       machine,    "--ranks",     std::to_string(ranks),
                                       "--model",  models.path(), "--json",
                                       "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

inline double time_of(const nlohmann::json& run) { return run.at("factorization").at("seconds").get<double>(); }

inline double sum_over_ranks(const nlohmann::json& run, const char* key) {
    double sum = 0;
    for (const nlohmann::json& rank : run.at("ranks")) sum += rank.at(key).get<double>();
    return sum;
}

}  // namespace frond::test

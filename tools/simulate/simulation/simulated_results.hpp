// SPDX-License-Identifier: BSD-3-Clause
// What a simulation has to say: a table, and an object for --json.
#pragma once

#include "run/run_json.hpp"
#include "simulate/simulation/simulate_problem.hpp"

namespace frond::cli {

/// Takes the bounds that the simulation has gathered; so once only.
Json simulated_json(const CommandLine& line, const Simulated& simulated, const ModelFile& models);

void print_simulated(const CommandLine& line, const Simulated& simulated, const ModelFile& models);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
// The analysis and the simulated factorization of a matrix.
#pragma once

#include "run/problem.hpp"
#include "run/run_facts.hpp"
#include "run/run_json.hpp"
#include "simulate/model_file.hpp"
#include "simulate/ranks_of_simulation.hpp"

#include <optional>

namespace frond::cli {

struct Simulated {
    const SimulatedMachine& machine;
    RunFacts& facts;
    std::optional<RanksOfSimulation> ranks;
};

/// Simulates in a session that has ended when this returns, so that StarPU has written what it recorded.
void simulate_problem(const CommandLine& line, const Problem& problem, const ModelFile& models, Simulated& simulated);

// What a simulation has to say: a table, and an object for --json.

/// Takes the bounds that the simulation has gathered; so once only.
Json simulated_json(const CommandLine& line, const Simulated& simulated, const ModelFile& models);

void print_simulated(const CommandLine& line, const Simulated& simulated, const ModelFile& models);

}  // namespace frond::cli

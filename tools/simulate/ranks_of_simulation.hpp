// SPDX-License-Identifier: BSD-3-Clause
// Whether a simulation can take the cards that it is asked to take.
#pragma once

#include "arguments/command_line.hpp"
#include "frond/codelets/simulated_cluster.hpp"
#include "frond/reports.hpp"
#include "machine_file.hpp"
#include "run/run_json.hpp"
#include "terminal/table.hpp"

#include <string>
#include <vector>

namespace frond::cli {

/// Whether cards of the machine work in the simulation.
bool uses_cards(const CommandLine& line, const SimulatedMachine& machine);

/// scheduler: empty: Frond's choice, which serves cards. Some schedulers stand still with them.
/// @throws InvalidArgument  with the reason
void expect_simulated_cards(const CommandLine& line, const SimulatedMachine& machine, const std::string& scheduler);

// What frond simulate --ranks N says of its ranks.

/// @throws InvalidArgument  the machine has fewer nodes, or it is asked for what is not simulated there
void expect_simulated_ranks(const CommandLine& line, const SimulatedMachine& machine);

/// memories: of how many ranks each card has the memory.
SimulatedCluster cluster_of(const SimulatedMachine& machine, index_t ranks, index_t memories);

/// A factorization by several ranks, and the same tree by one of them.
struct RanksOfSimulation {
    SimulatedCluster cluster;
    SimulatedClusterWork work;
    double seconds = 0;  // of the factorization
    double one_rank_seconds = 0;

    double efficiency() const { return one_rank_seconds / (static_cast<double>(cluster.ranks) * seconds); }
};

/// What keeps the time from being less, each a time that it cannot be below.
struct ClusterBounds {
    double work = 0;  // of all cores together
    double largest_rank = 0;  // of the cores of the rank that has most to do
    double card_work = 0, largest_cards = 0;  // the same of cards
    double path = 0;  // tasks and messages that wait for each other
    double submission = 0;  // of the rank that submits most
    double link = 0;  // of the rank that sends or receives most bytes
    double messages = 0;  // of the thread that sends and receives most messages
};
ClusterBounds bounds_of(const RanksOfSimulation& run);

std::vector<RankReport> reports_of(const RanksOfSimulation& run);
void add_efficiency(Table& table, const RanksOfSimulation& run);
/// Beside those of reports_of: what is only known of simulations. ranks: ranks_json(reports_of(run)).
void add_simulated_ranks(Json& object, const RanksOfSimulation& run);

}  // namespace frond::cli

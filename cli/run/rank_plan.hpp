// SPDX-License-Identifier: BSD-3-Clause
// frond analyze --ranks N: what each of N processes would have to do, predicted.
#pragma once

#include "frond/analysis/rank_mapping.hpp"
#include "frond/solver.hpp"
#include "run_facts.hpp"
#include "run_json.hpp"
#include "terminal/table.hpp"

namespace frond::cli {

/// `ranks` processes on machines like this one, each with the workers of this session, as a run with these options maps
/// the tree. Where options.memory_budget_bytes is not 0, each may hold so much, which a run ignores when it maps
/// the tree.
/// @throws MemoryBudgetExceeded  naming a rank, what it would need and the budget
RankPlan plan_ranks(const RunFacts& facts, index_t ranks, const FactorOptions& options);

/// Sets the options of a plan's analysis as a solver on so many ranks with `workers` each has them: the tree is cut for
/// all of them. ranks = 0: nothing is planned.
void cut_for_ranks(AnalysisOptions& options, index_t ranks, index_t workers);

/// A row for each of up to 16 ranks; of more the mean and the largest.
void add_ranks(Table& table, const RankPlan& plan);

/// An object for each rank.
Json ranks_json(const RankPlan& plan);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
// frond analyze --ranks N: what each of N processes would have to do, predicted.
#pragma once

#include "frond/analysis/rank_mapping.hpp"
#include "run_facts.hpp"
#include "run_json.hpp"
#include "terminal/table.hpp"

namespace frond::cli {

/// N processes on machines like this one, each of which may hold budget_bytes; 0: no bound.
/// @throws MemoryBudgetExceeded  naming a rank, what it would need and the budget
RankPlan plan_ranks(const RunFacts& facts, index_t ranks, count_t budget_bytes);

/// A row for each of up to 16 ranks; of more the mean and the largest.
void add_ranks(Table& table, const RankPlan& plan);

/// An object for each rank.
Json ranks_json(const RankPlan& plan);

}  // namespace frond::cli

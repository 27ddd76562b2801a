// SPDX-License-Identifier: BSD-3-Clause
// What several processes did, for the table and the JSON object.
#pragma once

#include "frond/reports.hpp"
#include "run/run_json.hpp"
#include "terminal/table.hpp"

#include <vector>

namespace frond::cli {

/// distributed: of the analysis.
void add_work_of_ranks(Table& table, const std::vector<RankReport>& ranks, bool distributed);
Json ranks_json(const std::vector<RankReport>& ranks);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "trace/analyze/trace_facts.hpp"

#include <nlohmann/json.hpp>

namespace frond::cli {

/// The costly top of the assembly tree, laid out: of each front place, size, flops, when its tasks in the main phase ran
/// (null: none did), their seconds, and the worker that did most.
nlohmann::json tree_data(const Analysis& analysis, const Trace& trace, const TraceFacts& facts);

}  // namespace frond::cli

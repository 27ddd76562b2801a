// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run_facts.hpp"
#include "terminal/table.hpp"

namespace frond::cli {

/// What `frond solve` and `frond analyze` print about a run.
Table run_table(const RunFacts& facts);

/// The last line: solved, perturbed, singular, ... with the numbers that say so.
std::string verdict(const RunFacts& facts, const Style& style);

} // namespace frond::cli

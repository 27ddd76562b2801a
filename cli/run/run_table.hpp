// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run_facts.hpp"
#include "terminal/table.hpp"

namespace frond::cli {

/// What `frond solve` and `frond analyze` print about a run.
Table run_table(const RunFacts& facts);

/// Where the ordering by a grid was asked for and the grid is of another matrix: with the flops of both; else
/// empty.
std::string grid_warning(const RunFacts& facts);

/// Hints, and the last line: solved, perturbed, singular, ... with the numbers that say so.
std::string verdict(const RunFacts& facts, const Style& style);

/// "L L^T", and so on.
const char* formula(Factorization kind, bool is_complex);

void add_factorization(Table& table, const RunFacts& facts);

}  // namespace frond::cli

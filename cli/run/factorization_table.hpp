// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run_facts.hpp"
#include "terminal/table.hpp"

namespace frond::cli {

/// "L L^T", and so on.
const char* formula(Factorization kind, bool is_complex);

void add_factorization(Table& table, const RunFacts& facts);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"

#include <string>

namespace frond::detail {

/// What the factorization relies on and does not hold of this analysis, "" when all of it holds.
/// O(size of the analysis). Not checked: that it is an analysis of the pattern whose hash it names, and
/// times and options, which nothing is indexed by.
std::string defect_of(const Analysis& analysis);

/// Checks of parts, in the order in which each relies on those before.
std::string defect_of_order(const Analysis& analysis);
std::string defect_of_tree(const AssemblyTree& tree);
std::string defect_of_entry_map(const Analysis& analysis);
std::string defect_of_mapping(const Analysis& analysis);
std::string defect_of_costs(const Analysis& analysis);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "frond/analysis/rank_mapping.hpp"

namespace frond {

/// How a share of the ranks that is no whole number becomes one.
enum class Rounding : std::uint8_t { nearest, up, down };

/// One of the ways to give the subtrees of a tree to ranks.
struct Deal {
    Rounding rounding = Rounding::nearest;
    std::vector<double> weight;  // [ranks] ranks get subtrees in proportion to these
    std::vector<std::uint8_t> in_turn;  // [fronts + 1] as in RankMapping
};

/// The group of each front. below: the work of its subtree. O(fronts log fronts + ranks of all groups).
std::vector<RankInterval> deal_tree(const AssemblyTree& tree, const std::vector<double>& below, const Deal& deal);

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plot/svg.hpp"
#include "run/run_facts.hpp"

#include <array>
#include <string>
#include <vector>

namespace frond::cli {

/// What draw_plots() writes into its folder.
constexpr std::array<const char*, 4> plot_names{"pattern.svg", "tree.svg", "levels.svg", "ranks.svg"};

/// Writes plot_names: levels only when the factorization recorded times, ranks only of a plan for several processes.
void draw_plots(const std::string& folder, const RunFacts& facts, const Pattern& pattern, Symmetry symmetry);

/// A as given, A in elimination order, and the factors: pictures of density, so that the size of
/// the file does not follow the size of the matrix.
Svg pattern_plot(const MatrixFacts& facts, const Pattern& pattern, Symmetry symmetry, const Analysis& analysis);

/// The assembly tree: each front a square, side by its order, colour by its share of the flops.
/// Large trees show the costly part only, and say so.
Svg tree_plot(const MatrixFacts& facts, const Analysis& analysis);

/// The assembly tree with the process of each front, or of each tile of a front that several share, the contribution blocks
/// that travel, and bars of what each process has to do, holds and sends.
Svg rank_plot(const MatrixFacts& facts, const Analysis& analysis, const RankPlan& plan);

/// Measured worker time of each level of the assembly tree (level 0: the roots).
Svg level_plot(const MatrixFacts& facts, const Analysis& analysis, const std::vector<double>& front_seconds);

/// Depth of each front: 0 at a root.
std::vector<index_t> front_levels(const AssemblyTree& tree);

}  // namespace frond::cli

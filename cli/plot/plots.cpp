// SPDX-License-Identifier: BSD-3-Clause
#include "plot/plots.hpp"

namespace frond::cli {

void draw_plots(const std::string& folder, const RunFacts& facts, const Pattern& pattern, Symmetry symmetry) {
    const Analysis& analysis = *facts.analysis;
    const auto file = [&folder](std::size_t k) { return folder + "/" + plot_names[k]; };
    pattern_plot(facts.matrix, pattern, symmetry, analysis).save(file(0));
    tree_plot(facts.matrix, analysis).save(file(1));
    if (facts.factor && !facts.factor->work.front_seconds.empty())
        level_plot(facts.matrix, analysis, facts.factor->work.front_seconds).save(file(2));
    if (facts.ranks) rank_plot(facts.matrix, analysis, *facts.ranks).save(file(3));
}

std::vector<index_t> front_levels(const AssemblyTree& tree) {
    std::vector<index_t> level(tree.fronts.size(), 0);
    for (std::size_t f = tree.fronts.size(); f-- > 0;)  // parents first
        if (tree.fronts[f].parent >= 0) level[f] = level[static_cast<std::size_t>(tree.fronts[f].parent)] + 1;
    return level;
}

}  // namespace frond::cli

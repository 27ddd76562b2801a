// SPDX-License-Identifier: BSD-3-Clause
#include "plot/plots.hpp"

#include "terminal/table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

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

namespace {

constexpr std::size_t most_rows = 36;
constexpr double bars_left = 24, bars_top = 78, label_width = 96, bar_width = 560, row_height = 20;

struct Level {
    double tile_seconds = 0;  // fronts on tiles
    double subtree_seconds = 0;  // whole subtrees, at the level of their root
    index_t fronts = 0, subtrees = 0;

    double seconds() const { return tile_seconds + subtree_seconds; }
};

void add_front(const Mapping& mapping, index_t f, double seconds, Level& level) {
    const index_t subtree = mapping.subtree_of_front[static_cast<std::size_t>(f)];
    if (subtree < 0) {
        ++level.fronts;
        level.tile_seconds += seconds;
    } else if (mapping.subtrees[static_cast<std::size_t>(subtree)].root_front == f) {
        ++level.subtrees;
        level.subtree_seconds += seconds;
    }
}

// The deepest levels share the last row when there are too many. Levels below all tasks do not
// occur: the inside of a subtree counts at its root.
std::vector<Level> levels_of(const Analysis& analysis, const std::vector<double>& front_seconds) {
    const std::vector<index_t> depth = front_levels(analysis.tree);
    std::vector<Level> levels;
    for (std::size_t f = 0; f < depth.size(); ++f) {
        Level of_front;
        add_front(analysis.mapping, static_cast<index_t>(f), front_seconds[f], of_front);
        if (of_front.fronts + of_front.subtrees == 0) continue;
        const std::size_t row = std::min(static_cast<std::size_t>(depth[f]), most_rows - 1);
        if (row >= levels.size()) levels.resize(row + 1);
        levels[row].fronts += of_front.fronts;
        levels[row].subtrees += of_front.subtrees;
        levels[row].tile_seconds += of_front.tile_seconds;
        levels[row].subtree_seconds += of_front.subtree_seconds;
    }
    return levels;
}

// 1, 2 or 5 times a power of ten: at most six steps up to `largest`.
double step_of_axis(double largest) {
    const double rough = largest / 6;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough) return factor * power;
    return 10 * power;
}

void axis(Svg& svg, double largest, double scale, double bottom) {
    const double step = step_of_axis(largest);
    for (int i = 0; i * step <= largest * 1.0001; ++i) {
        const double x = bars_left + label_width + i * step * scale;
        svg.line(x, bars_top - 4, x, bottom, i == 0 ? "line" : "grid");
        svg.text(x, bottom + 16, i == 0 ? "0" : text_of_seconds(i * step), "quiet small", Svg::Anchor::middle);
    }
}

std::string members(const Level& level) {
    std::string text;
    if (level.fronts > 0) text = counted(level.fronts, "front");
    if (level.subtrees > 0)
        text += fmt::format("{}{} subtree{}", text.empty() ? "" : ", ", text_of_count(level.subtrees),
                            level.subtrees == 1 ? "" : "s");
    return text;
}

void row(Svg& svg, double y, const std::string& name, const Level& level, double scale) {
    svg.text(bars_left + label_width - 10, y + 14, name, "ink small", Svg::Anchor::end);
    const double x = bars_left + label_width;
    const double tiles = level.tile_seconds * scale, subtrees = level.subtree_seconds * scale;
    if (tiles > 0) svg.rectangle(x, y + 3, tiles, row_height - 6, "accent", 1, text_of_seconds(level.tile_seconds));
    if (subtrees > 0)
        svg.rectangle(x + tiles, y + 3, subtrees, row_height - 6, "second", 1, text_of_seconds(level.subtree_seconds));
    svg.text(x + tiles + subtrees + 8, y + 14, text_of_seconds(level.seconds()) + ", " + members(level), "quiet small");
}

void legend(Svg& svg, double total) {
    svg.text(bars_left, 56, text_of_seconds(total) + " of all workers together, by depth in the tree", "quiet");
    const double x = bars_left + label_width + bar_width - 60;
    svg.rectangle(x, 46, 12, 12, "accent");
    svg.text(x + 18, 56, "fronts on tiles", "quiet small");
    svg.rectangle(x + 120, 46, 12, 12, "second");
    svg.text(x + 138, 56, "subtree tasks", "quiet small");
}

}  // namespace

Svg level_plot(const MatrixFacts& facts, const Analysis& analysis, const std::vector<double>& front_seconds) {
    const std::vector<Level> levels = levels_of(analysis, front_seconds);
    double longest = 1e-9, total = 0;
    for (const Level& level : levels) {
        longest = std::max(longest, level.seconds());
        total += level.seconds();
    }
    const double scale = bar_width / longest;
    const double bottom = bars_top + row_height * static_cast<double>(levels.size());
    Svg svg(2 * bars_left + label_width + bar_width + 180, bottom + 36,
            "Factorization time by tree level: " + facts.title());
    legend(svg, total);
    axis(svg, longest, scale, bottom);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const bool shared = i == most_rows - 1;
        const std::string name = i == 0 ? "roots" : fmt::format("level {}{}", i, shared ? "+" : "");
        row(svg, bars_top + row_height * static_cast<double>(i), name, levels[i], scale);
    }
    return svg;
}

}  // namespace frond::cli

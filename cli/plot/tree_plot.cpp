// SPDX-License-Identifier: BSD-3-Clause
#include "plot/plots.hpp"
#include "plot/tree_layout.hpp"
#include "terminal/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace frond::cli {
namespace {

constexpr index_t most_fronts = 150;
constexpr double tree_left = 24, tree_top = 56, usable_width = 1080, usable_height = 720;

struct Shade {
    double least_share;
    double opacity;
    const char* label;
};

constexpr std::array<Shade, 4> shades{
    {{0.1, 1, "10% or more"}, {0.01, 0.7, "1% or more"}, {0.001, 0.45, "0.1% or more"}, {0, 0.2, "less"}}};

double opacity_of(double share) {
    for (const Shade& shade : shades)
        if (share >= shade.least_share) return shade.opacity;
    return shades.back().opacity;
}

void draw_edges(Svg& svg, const TreeLayout& layout, double x0) {
    std::string edges;
    for (const FrontFactorViews& child : layout.fronts) {
        if (child.parent < 0) continue;
        const FrontFactorViews& parent = layout.fronts[static_cast<std::size_t>(child.parent)];
        edges +=
            fmt::format("M{} {}L{} {}", coordinate(x0 + parent.x), coordinate(tree_top + parent.y + parent.side / 2),
                        coordinate(x0 + child.x), coordinate(tree_top + child.y - child.side / 2));
    }
    svg.path(edges, "line");
}

std::string tooltip(const Analysis& analysis, const FrontFactorViews& placed, double share) {
    const Front& front = analysis.tree.fronts[static_cast<std::size_t>(placed.front)];
    std::string text =
        fmt::format("front {}: order {}, {}, {} ({:.2g}% of all)", text_of_count(placed.front),
                    text_of_count(front.nfront), counted(front.npiv, "pivot"),
                    text_of_flops(analysis.cost.front_flops[static_cast<std::size_t>(placed.front)]), 100 * share);
    if (placed.hidden_fronts > 0) text += "; " + counted(placed.hidden_fronts, "cheaper front") + " below";
    return text;
}

// The square of a front; inside, the corner of its fully summed rows and columns.
void draw_front(Svg& svg, const Analysis& analysis, const FrontFactorViews& placed, double x0) {
    const std::size_t f = static_cast<std::size_t>(placed.front);
    const Front& front = analysis.tree.fronts[f];
    const double share = analysis.cost.flops > 0 ? analysis.cost.front_flops[f] / analysis.cost.flops : 0;
    const double x = x0 + placed.x - placed.side / 2, y = tree_top + placed.y - placed.side / 2;
    const bool in_subtree = analysis.mapping.subtree_of_front.size() > f && analysis.mapping.subtree_of_front[f] >= 0;
    svg.rectangle(x, y, placed.side, placed.side, "paper");
    svg.rectangle(x, y, placed.side, placed.side, in_subtree ? "second" : "accent", opacity_of(share),
                  tooltip(analysis, placed, share));
    std::string outline = fmt::format("M{} {}h{}v{}h{}z", coordinate(x), coordinate(y), coordinate(placed.side),
                                      coordinate(placed.side), coordinate(-placed.side));
    if (placed.side >= 9 && front.ncb() > 0) {
        const double cut = placed.side * front.npiv / front.nfront;
        outline += fmt::format("M{} {}v{}M{} {}h{}", coordinate(x + cut), coordinate(y), coordinate(placed.side),
                               coordinate(x), coordinate(y + cut), coordinate(placed.side));
    }
    svg.path(outline, "outline");
}

// Three dots below a front whose cheaper subtrees are left out.
void draw_hidden_marks(Svg& svg, const TreeLayout& layout, double x0) {
    std::string dots;
    for (const FrontFactorViews& placed : layout.fronts) {
        if (placed.hidden_fronts == 0) continue;
        for (int i = 0; i < 3; ++i)
            dots += fmt::format("M{} {}h1.4v1.4h-1.4z", coordinate(x0 + placed.x - 0.7),
                                coordinate(tree_top + placed.y + placed.side / 2 + 2.5 + 3 * i));
    }
    svg.path(dots, "quiet");
}

void legend(Svg& svg, double y, const Analysis& analysis, const TreeLayout& layout) {
    svg.text(tree_left, y, "Share of the flops", "quiet small");
    double x = tree_left + 110;
    for (const Shade& shade : shades) {
        svg.rectangle(x, y - 10, 12, 12, "accent", shade.opacity);
        svg.rectangle(x + 13, y - 10, 12, 12, "second", shade.opacity);
        svg.text(x + 31, y, shade.label, "quiet small");
        x += 122;
    }
    svg.rectangle(x, y - 10, 12, 12, "accent");
    svg.text(x + 18, y, "front on tiles", "quiet small");
    svg.rectangle(x + 110, y - 10, 12, 12, "second");
    svg.text(x + 128, y, "inside a subtree task", "quiet small");

    const index_t count = analysis.tree.front_count();
    const auto shown = static_cast<index_t>(layout.fronts.size());
    const std::string extent = shown == count
                                   ? (count == 1 ? "The only front." : "All " + counted(count, "front") + ".")
                                   : fmt::format(
                                         "The {} costliest of {} fronts, {:.1f}% of the flops; dots: cheaper "
                                         "subtrees left out.",
                                         shown, text_of_count(count), 100 * layout.drawn_flops_share);
    svg.text(tree_left, y + 20,
             fmt::format("Side of a square: order of the front (largest {}), lines: its fully summed "
                         "part. {}",
                         text_of_count(analysis.cost.largest_front), extent),
             "quiet small");
}

}  // namespace

Svg tree_plot(const MatrixFacts& facts, const Analysis& analysis) {
    const TreeLayout layout = lay_out_tree(analysis.tree, analysis.cost, most_fronts, usable_width, usable_height);
    const double width = std::max(layout.width, 860.0) + 2 * tree_left;
    const double legend_y = tree_top + layout.height + 22;
    Svg svg(width, legend_y + 40, "Assembly tree of " + facts.title());
    const double x0 = (width - layout.width) / 2;
    draw_edges(svg, layout, x0);
    for (const FrontFactorViews& placed : layout.fronts) draw_front(svg, analysis, placed, x0);
    draw_hidden_marks(svg, layout, x0);
    legend(svg, legend_y, analysis, layout);
    return svg;
}

}  // namespace frond::cli

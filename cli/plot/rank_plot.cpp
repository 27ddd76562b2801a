// SPDX-License-Identifier: BSD-3-Clause
#include "plot/plots.hpp"
#include "plot/tree_layout.hpp"
#include "terminal/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace frond::cli {
namespace {

constexpr index_t most_fronts_drawn = 100;
constexpr index_t most_tiles_drawn = 12;  // along a front that several processes share
constexpr std::size_t most_bars = 16;
constexpr double ranks_left = 24, ranks_top = 56, tree_width = 1080, tree_height = 620, bar_height = 16;

std::string colour_of_rank(index_t rank) { return fmt::format("rank{}", rank % 8); }

/// What other processes send for a front: contribution blocks of its children, and what its own panels need.
struct ReceivedFront {
    count_t bytes = 0;
    count_t messages = 0;
};

struct RankDrawing {
    Svg& svg;
    const Analysis& analysis;
    const RankPlan& plan;
    const TreeLayout& layout;
    double x0 = 0;

    const RankGrid& grid(index_t front) const { return plan.mapping.grid[static_cast<std::size_t>(front)]; }
    bool is_alone(index_t front) const { return grid(front).members().size() == 1; }
    bool is_symmetric() const { return plan.rule.kind != Factorization::lu; }

    ReceivedFront received(index_t front) const {
        ReceivedFront sum;
        for_each_message(analysis.tree, plan.mapping, plan.rule, front, [&](const Message& m) {
            sum.bytes += m.bytes;
            ++sum.messages;
        });
        return sum;
    }
};

std::string tooltip(const RankDrawing& d, index_t front) {
    const Front& f = d.analysis.tree.fronts[static_cast<std::size_t>(front)];
    std::string ranks;
    for (const index_t r : d.grid(front).members()) ranks += (ranks.empty() ? "" : ", ") + std::to_string(r);
    const ReceivedFront in = d.received(front);
    return fmt::format("front {} of rank {}: order {}, {}; {} for it between ranks", front, ranks,
                       text_of_count(f.nfront), counted(f.npiv, "pivot"),
                       in.messages == 0
                           ? "nothing"
                           : text_of_bytes(static_cast<double>(in.bytes)) + " in " + counted(in.messages, "message"));
}

/// Edges along which blocks travel are thick.
void draw_edges(const RankDrawing& d) {
    std::string within, between;
    for (const FrontFactorViews& child : d.layout.fronts) {
        if (child.parent < 0) continue;
        const FrontFactorViews& parent = d.layout.fronts[static_cast<std::size_t>(child.parent)];
        const bool stays = d.is_alone(child.front) && d.grid(child.front).members() == d.grid(parent.front).members();
        (stays ? within : between) +=
            fmt::format("M{} {}L{} {}", coordinate(d.x0 + parent.x), coordinate(ranks_top + parent.y + parent.side / 2),
                        coordinate(d.x0 + child.x), coordinate(ranks_top + child.y - child.side / 2));
    }
    d.svg.path(within, "line");
    d.svg.path(between, "line thick");
}

/// Each tile in the colour of its owner; of long fronts the first tiles stand for all.
void draw_tiles(const RankDrawing& d, const FrontFactorViews& placed, double x, double y) {
    const RankGrid& grid = d.grid(placed.front);
    const index_t all = d.plan.mapping.tiles[static_cast<std::size_t>(placed.front)].tiles();
    const index_t tiles = std::clamp<index_t>(all, 1, most_tiles_drawn);
    const double side = placed.side / tiles;
    for (index_t i = 0; i < tiles; ++i)
        for (index_t j = 0; j < (d.is_symmetric() ? i + 1 : tiles); ++j)
            d.svg.rectangle(x + side * j, y + side * i, side, side, colour_of_rank(grid.owner(i, j)));
}

void draw_front(const RankDrawing& d, const FrontFactorViews& placed) {
    const double x = d.x0 + placed.x - placed.side / 2, y = ranks_top + placed.y - placed.side / 2;
    const std::string text = tooltip(d, placed.front);
    const bool alone = d.is_alone(placed.front);
    const index_t rank = d.grid(placed.front).rank.front();
    d.svg.rectangle(x, y, placed.side, placed.side, alone ? colour_of_rank(rank) : "paper", 1, text);
    if (!alone) draw_tiles(d, placed, x, y);
    d.svg.path(fmt::format("M{} {}h{}v{}h{}z", coordinate(x), coordinate(y), coordinate(placed.side),
                           coordinate(placed.side), coordinate(-placed.side)),
               "outline");
    if (alone && placed.side >= 12)
        d.svg.text(x + placed.side / 2, y + placed.side / 2 + 4, std::to_string(rank), "inside small",
                   Svg::Anchor::middle);
}

/// A column of bars: a number of each rank, as its share of the largest.
struct RankBars {
    const char* title;
    double (*number)(const RankPrediction&);
    std::string (*text)(double);
};

const std::array<RankBars, 3> bar_columns{
    {{"operations", [](const RankPrediction& r) { return r.flops; }, [](double v) { return text_of_flops(v); }},
     {"most bytes at one time", [](const RankPrediction& r) { return static_cast<double>(r.peak_bytes); },
      [](double v) { return text_of_bytes(v); }},
     {"bytes sent", [](const RankPrediction& r) { return static_cast<double>(r.sent_bytes); },
      [](double v) { return text_of_bytes(v); }}}};

void draw_bars(const RankDrawing& d, double y) {
    const std::vector<RankPrediction>& ranks = d.plan.of_rank;
    const std::size_t shown = std::min(ranks.size(), most_bars);
    double x = ranks_left + 70;
    for (const RankBars& column : bar_columns) {
        double largest = 0;
        for (const RankPrediction& r : ranks) largest = std::max(largest, column.number(r));
        d.svg.text(x, y, column.title, "quiet small");
        for (std::size_t r = 0; r < shown; ++r) {
            const double number = column.number(ranks[r]), row = y + 8 + bar_height * static_cast<double>(r);
            d.svg.rectangle(x, row, largest > 0 ? 150 * number / largest : 0, bar_height - 4,
                            colour_of_rank(static_cast<index_t>(r)));
            d.svg.text(x + 156, row + 10, column.text(number), "quiet small");
        }
        x += 270;
    }
    for (std::size_t r = 0; r < shown; ++r)
        d.svg.text(ranks_left, y + 18 + bar_height * static_cast<double>(r), fmt::format("rank {}", r), "ink small");
}

std::string explanation(const RankDrawing& d) {
    const index_t fronts = d.analysis.tree.front_count();
    const auto shown = static_cast<index_t>(d.layout.fronts.size());
    const std::string extent = shown == fronts
                                   ? "All " + counted(fronts, "front")
                                   : fmt::format("The {} costliest of {} fronts", shown, text_of_count(fronts));
    return extent +
           "; colour and number: rank that has the front, or tile. Thick lines: contribution blocks that travel.";
}

}  // namespace

Svg rank_plot(const MatrixFacts& facts, const Analysis& analysis, const RankPlan& plan) {
    const TreeLayout layout = lay_out_tree(analysis.tree, analysis.cost, most_fronts_drawn, tree_width, tree_height);
    const double width = std::max(layout.width, 900.0) + 2 * ranks_left;
    const double bars_y = ranks_top + layout.height + 44;
    const std::size_t rows = std::min(plan.of_rank.size(), most_bars);
    Svg svg(width, bars_y + bar_height * static_cast<double>(rows) + 28,
            fmt::format("{} on {}", facts.title(), counted(static_cast<count_t>(plan.of_rank.size()), "rank")));
    const RankDrawing d{svg, analysis, plan, layout, (width - layout.width) / 2};
    draw_edges(d);
    for (const FrontFactorViews& placed : layout.fronts) draw_front(d, placed);
    svg.text(ranks_left, ranks_top + layout.height + 14, explanation(d), "quiet small");
    draw_bars(d, bars_y);
    return svg;
}

}  // namespace frond::cli

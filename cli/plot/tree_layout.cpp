// SPDX-License-Identifier: BSD-3-Clause
#include "plot/tree_layout.hpp"

#include <algorithm>
#include <numeric>

namespace frond::cli {
namespace {

constexpr double largest_side = 54, least_side = 3, space_between = 5, space_between_levels = 16;

std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

std::vector<double> subtree_flops(const AssemblyTree& tree, const CostModel& cost) {
    std::vector<double> flops = cost.front_flops;
    for (std::size_t f = 0; f < flops.size(); ++f)
        if (tree.fronts[f].parent >= 0) flops[at(tree.fronts[f].parent)] += flops[f];
    return flops;
}

// The `most` fronts with the costliest subtrees. A parent's subtree costs no less than a child's
// and has the larger number, so parents come first and the choice is connected.
std::vector<index_t> costliest(const AssemblyTree& tree, const CostModel& cost, index_t most) {
    const std::vector<double> flops = subtree_flops(tree, cost);
    std::vector<index_t> fronts(tree.fronts.size());
    std::iota(fronts.begin(), fronts.end(), 0);
    const auto before = [&](index_t a, index_t b) {
        return flops[at(a)] != flops[at(b)] ? flops[at(a)] > flops[at(b)] : a > b;
    };
    const std::size_t kept = std::min(at(most), fronts.size());
    std::partial_sort(fronts.begin(), fronts.begin() + static_cast<std::ptrdiff_t>(kept), fronts.end(), before);
    fronts.resize(kept);
    std::sort(fronts.begin(), fronts.end(), std::greater<>());  // parents before children
    return fronts;
}

std::vector<FrontFactorViews> choose_fronts(const AssemblyTree& tree, const CostModel& cost, index_t most) {
    const std::vector<index_t> chosen = costliest(tree, cost, most);
    std::vector<index_t> place(tree.fronts.size(), -1);
    std::vector<FrontFactorViews> fronts;
    for (const index_t f : chosen) {
        FrontFactorViews placed;
        placed.front = f;
        const index_t parent = tree.fronts[at(f)].parent;
        if (parent >= 0) {
            placed.parent = place[at(parent)];
            placed.level = fronts[at(placed.parent)].level + 1;
        }
        placed.hidden_fronts = f - tree.first_descendant[at(f)];
        place[at(f)] = static_cast<index_t>(fronts.size());
        fronts.push_back(placed);
    }
    // From "all fronts below" to "those not drawn": children take their own whole subtree off.
    for (const FrontFactorViews& placed : fronts)
        if (placed.parent >= 0)
            fronts[at(placed.parent)].hidden_fronts -= placed.front - tree.first_descendant[at(placed.front)] + 1;
    return fronts;
}

// Width of each subtree: its own square, or its children side by side.
std::vector<double> subtree_widths(const std::vector<FrontFactorViews>& fronts) {
    std::vector<double> children(fronts.size(), 0.0), width(fronts.size(), 0.0);
    for (std::size_t i = fronts.size(); i-- > 0;) {
        width[i] = std::max(fronts[i].side + space_between, children[i]);
        if (fronts[i].parent >= 0) children[at(fronts[i].parent)] += width[i];
    }
    return width;
}

// Children left to right in descending number inside their parent's width, which they may not fill.
double place_across(std::vector<FrontFactorViews>& fronts) {
    const std::vector<double> width = subtree_widths(fronts);
    std::vector<double> children(fronts.size(), 0.0), next(fronts.size(), 0.0);
    for (std::size_t i = 0; i < fronts.size(); ++i)
        if (fronts[i].parent >= 0) children[at(fronts[i].parent)] += width[i];
    double next_root = 0;
    for (std::size_t i = 0; i < fronts.size(); ++i) {
        double& begin = fronts[i].parent >= 0 ? next[at(fronts[i].parent)] : next_root;
        fronts[i].x = begin + width[i] / 2;
        next[i] = begin + (width[i] - children[i]) / 2;
        begin += width[i];
    }
    return next_root;
}

double place_down(std::vector<FrontFactorViews>& fronts) {
    std::vector<double> tallest;
    for (const FrontFactorViews& placed : fronts) {
        if (at(placed.level) >= tallest.size()) tallest.resize(at(placed.level) + 1, 0.0);
        tallest[at(placed.level)] = std::max(tallest[at(placed.level)], placed.side);
    }
    std::vector<double> middle(tallest.size());
    double y = 0;
    for (std::size_t level = 0; level < tallest.size(); ++level) {
        middle[level] = y + tallest[level] / 2;
        y += tallest[level] + space_between_levels;
    }
    for (FrontFactorViews& placed : fronts) placed.y = middle[at(placed.level)];
    return y;
}

}  // namespace

TreeLayout lay_out_tree(const AssemblyTree& tree, const CostModel& cost, index_t most, double width, double height) {
    TreeLayout layout;
    layout.fronts = choose_fronts(tree, cost, most);
    index_t largest_front = 1;
    for (const FrontFactorViews& placed : layout.fronts)
        largest_front = std::max(largest_front, tree.fronts[at(placed.front)].nfront);
    // Smaller squares until everything fits.
    for (double side = largest_side; side > least_side; side *= 0.85) {
        layout.units_per_row = side / largest_front;
        for (FrontFactorViews& placed : layout.fronts)
            placed.side = std::max(least_side, layout.units_per_row * tree.fronts[at(placed.front)].nfront);
        layout.width = place_across(layout.fronts);
        layout.height = place_down(layout.fronts);
        if (layout.width <= width && layout.height <= height) break;
    }
    const double stretch = width / std::max(layout.width, 1.0);
    if (stretch < 1)
        for (FrontFactorViews& placed : layout.fronts) placed.x *= stretch;
    layout.width = std::min(layout.width, width);
    double drawn = 0;
    for (const FrontFactorViews& placed : layout.fronts) drawn += cost.front_flops[at(placed.front)];
    layout.drawn_flops_share = cost.flops > 0 ? drawn / cost.flops : 1;
    return layout;
}

}  // namespace frond::cli

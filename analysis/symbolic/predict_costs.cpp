// SPDX-License-Identifier: BSD-3-Clause
#include "forest.hpp"
#include "frond/analysis/counted_factors.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/vector_index.hpp"
#include "tree_parts.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace frond {

// One step with m rows below the pivot costs, additions and multiplications counted one by one,
//     LL^T   1 root, m divisions, m (m + 1) / 2 updates of two     (m + 1)^2
//     LDL^T  m divisions, the same updates (by l d, kept)          m^2 + 2 m
//     LU     m divisions, m^2 updates of two                       2 m^2 + m
// Summed over m = nfront - npiv .. nfront - 1 by the polynomials for sums of m and of m^2.
double front_flops(count_t npiv, count_t nfront, Factorization kind) {
    const double p = static_cast<double>(npiv);
    const double a = static_cast<double>(nfront - npiv);  // first m
    const double sum = p * a + p * (p - 1) / 2;  // of m
    const double squares = p * a * a + a * p * (p - 1) + (p - 1) * p * (2 * p - 1) / 6;  // of m^2
    if (kind == Factorization::lu) return 2 * squares + sum;
    const double shifted = squares + 2 * sum;  // of m^2 + 2 m
    return kind == Factorization::llt ? shifted + p : shifted;
}

namespace {

/// Entries of L, or of L and U, of one front; the unit diagonal is stored where D or U is.
count_t factor_entries(const Front& front, Factorization kind) {
    const count_t npiv = front.npiv, ncb = front.ncb();
    return kind == Factorization::lu ? npiv * (npiv + 2 * ncb) : npiv * (npiv + 1) / 2 + npiv * ncb;
}

/// Factor panels of all fronts done + stack of contribution blocks + the current front's own, whose
/// children's blocks live until it is assembled. Blocks are full squares for all kinds.
count_t sequential_peak(const AssemblyTree& tree, Factorization kind) {
    count_t factors = 0, stack = 0, peak = 0;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[f];
        const count_t ncb = front.ncb();
        factors += front_panels(front, kind).size;
        stack += ncb * ncb;
        peak = std::max(peak, factors + stack);
        for (count_t c = tree.child_begin[f]; c < tree.child_begin[f + 1]; ++c) {
            const count_t child_ncb = tree.fronts[tree.children[c]].ncb();
            stack -= child_ncb * child_ncb;
        }
    }
    return peak;
}

}  // namespace

CostModel predict_costs(const AssemblyTree& tree, Factorization kind) {
    CostModel cost;
    cost.front_flops.reserve(tree.fronts.size());
    std::vector<double> path(tree.fronts.size(), 0.0);  // heaviest chain of fronts that ends below f
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[f];
        const double flops = front_flops(front.npiv, front.nfront, kind);
        cost.front_flops.push_back(flops);
        cost.flops += flops;
        cost.factor_entries += factor_entries(front, kind);
        cost.largest_front = std::max(cost.largest_front, front.nfront);
        path[f] += flops;
        cost.critical_path_flops = std::max(cost.critical_path_flops, path[f]);
        if (front.parent >= 0) path[front.parent] = std::max(path[front.parent], path[f]);
    }
    cost.peak_scalars_sequential = sequential_peak(tree, kind);
    cost.peak_scalars_parallel = cost.peak_scalars_sequential;
    return cost;
}

CountedTree counted_tree(const Pattern& graph, const std::vector<index_t>& weight, const std::vector<index_t>& order,
                         index_t threads) {
    FROND_EXPECTS(graph.cols == static_cast<index_t>(order.size()) && (weight.empty() || weight.size() == order.size()),
                  "graph, weight and order have " + std::to_string(graph.cols) + ", " + std::to_string(weight.size()) +
                      " and " + std::to_string(order.size()) + " vertices");
    CountedTree result;
    result.tree = postordered_tree(graph, order);
    result.count = weighted_column_counts(graph, weight, result.tree, threads);
    return result;
}

// A group of w vertices whose first column has c entries is a dense front of order c of which w
// columns are eliminated: w c - w (w - 1) / 2 entries of L.
FillEstimate fill_of(const CountedTree& elimination, const std::vector<index_t>& weight, Factorization kind) {
    const PostorderedTree& tree = elimination.tree;
    FillEstimate estimate;
    count_t vertices = 0;
    std::vector<count_t> path(tree.parent.size(), 0);  // columns below k on the longest way up
    for (std::size_t k = 0; k < tree.parent.size(); ++k) {
        const count_t w = weight.empty() ? 1 : weight[tree.order[k]];
        const count_t c = elimination.count[k];
        estimate.flops += front_flops(w, c, kind);
        estimate.factor_entries += w * c - w * (w - 1) / 2;
        vertices += w;
        const count_t with_own = path[k] + w;
        estimate.pivot_path = std::max(estimate.pivot_path, with_own);
        if (tree.parent[k] < 0) continue;
        count_t& above = path[tree.parent[k]];
        above = std::max(above, with_own);
    }
    if (kind == Factorization::lu) estimate.factor_entries = 2 * estimate.factor_entries - vertices;
    return estimate;
}

FillEstimate estimate_fill(const Pattern& graph, const std::vector<index_t>& weight, const std::vector<index_t>& order,
                           Factorization kind) {
    return fill_of(counted_tree(graph, weight, order), weight, kind);
}

count_t counted_entries(const CountedTree& tree, Factorization kind) {
    count_t lower = 0;
    for (const index_t count : tree.count) lower += count;
    return kind == Factorization::lu ? 2 * lower - static_cast<count_t>(tree.count.size()) : lower;
}

/// A column goes on with the supernode of its only child, where it has that one's rows.
count_t counted_squares(const CountedTree& tree) {
    struct Children {
        index_t number = 0, last = -1;
        count_t squares = 0;
    };
    std::vector<Children> below(tree.count.size());
    std::vector<count_t> order(tree.count.size());  // of the supernode
    count_t most = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const Children& children = below[k];
        const bool goes_on = children.number == 1 && tree.count[at(children.last)] == tree.count[k] + 1;
        order[k] = goes_on ? order[at(children.last)] : tree.count[k];
        const count_t square = order[k] * order[k];
        if (!goes_on) most = std::max(most, square + children.squares);
        if (const index_t parent = tree.tree.parent[k]; parent >= 0) {
            Children& siblings = below[at(parent)];
            ++siblings.number;
            siblings.last = static_cast<index_t>(k);
            siblings.squares += square;
        }
    }
    return most;
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#include "../base/on_threads.hpp"
#include "frond/base/large_vector.hpp"
#include "forest.hpp"
#include "forest.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"

#include <string>

namespace frond {

namespace {

/// Counts by adding to delta (below), for whole subtrees side by side and then for what is above.
class ColumnCounter {
public:
    ColumnCounter(const Pattern& graph, const std::vector<index_t>& weight, const PostorderedTree& tree);

    /// A subtree by one thread; the leaves of rows above it are added to `reached`.
    void count_below(const SubtreeRange& range, ZeroedArray& last_above, std::vector<index_t>& reached);
    /// Joins a subtree, after all subtrees before it: its leaves count as its root.
    void join(const SubtreeRange& range, const std::vector<index_t>& reached);
    /// Counts a column above the subtrees, after all columns before it.
    void count_above(index_t j);
    void sum_up(const SubtreeRange& range);

    void sum_up(index_t j) {
        if (parent_[j] >= 0) delta_[parent_[j]] += delta_[j];
    }

    const std::vector<index_t>& first() const { return first_; }

    std::vector<index_t> count() const { return {delta_.begin(), delta_.end()}; }

private:
    std::uint32_t weight_of(index_t v) const { return weight_.empty() ? 1u : static_cast<std::uint32_t>(weight_[v]); }

    void add_leaf(index_t last, index_t j, index_t v);

    void finish(index_t j) {
        if (parent_[j] < 0) return;
        delta_[parent_[j]] -= weight_of(tree_.order[j]);
        above_[j] = parent_[j];
    }

    const Pattern& graph_;
    const std::vector<index_t>& weight_;
    const PostorderedTree& tree_;
    const std::vector<index_t>& parent_;
    std::vector<index_t> first_;
    std::vector<std::uint32_t> delta_;
    std::vector<index_t> above_;
    std::vector<index_t> last_leaf_;
};

ColumnCounter::ColumnCounter(const Pattern& graph, const std::vector<index_t>& weight, const PostorderedTree& tree)
    : graph_(graph),
      weight_(weight),
      tree_(tree),
      parent_(tree.parent),
      first_(first_descendants(tree.parent)),
      delta_(tree.parent.size()),
      above_(tree.parent.size()),
      last_leaf_(tree.parent.size(), -1) {
    for (std::size_t j = 0; j < delta_.size(); ++j) {
        const auto at = static_cast<index_t>(j);
        above_[j] = at;
        delta_[j] = first_[j] == at ? weight_of(tree_.order[j]) : 0;
    }
}

/// j is a leaf of the row of vertex v, after the leaf `last` (-1: its first one).
void ColumnCounter::add_leaf(index_t last, index_t j, index_t v) {
    delta_[j] += weight_of(v);
    if (last >= 0) delta_[find_root(above_, last)] -= weight_of(v);
}

void ColumnCounter::count_below(const SubtreeRange& range, ZeroedArray& last_above, std::vector<index_t>& reached) {
    for (index_t j = range.first; j <= range.root; ++j) {
        const index_t v = tree_.order[j];
        for (count_t e = graph_.begin[v]; e < graph_.begin[v + 1]; ++e) {
            const index_t u = graph_.row[e];
            const index_t i = tree_.position[u];
            if (i <= j) continue;
            // last_above holds positions + 1 of this subtree, else smaller ones.
            const bool inside = i <= range.root;
            index_t last = inside ? last_leaf_[i] : last_above[i] - 1;
            if (last >= first_[j]) continue;
            if (!inside && last < range.first) {
                reached.push_back(i);
                last = -1;
            }
            add_leaf(last, j, u);
            if (inside)
                last_leaf_[i] = j;
            else
                last_above[i] = j + 1;
        }
        if (j < range.root) finish(j);
    }
}

void ColumnCounter::join(const SubtreeRange& range, const std::vector<index_t>& reached) {
    for (const index_t i : reached) {
        if (last_leaf_[i] >= 0) delta_[find_root(above_, last_leaf_[i])] -= weight_of(tree_.order[i]);
        last_leaf_[i] = range.root;
    }
    finish(range.root);
}

void ColumnCounter::count_above(index_t j) {
    const index_t v = tree_.order[j];
    for (count_t e = graph_.begin[v]; e < graph_.begin[v + 1]; ++e) {
        const index_t u = graph_.row[e];
        const index_t i = tree_.position[u];
        if (i <= j || last_leaf_[i] >= first_[j]) continue;
        add_leaf(last_leaf_[i], j, u);
        last_leaf_[i] = j;
    }
    finish(j);
}

void ColumnCounter::sum_up(const SubtreeRange& range) {
    for (index_t j = range.first; j < range.root; ++j) sum_up(j);
}

/// The subtrees in their order, and what is above them between.
template <class Subtree, class Node>
void for_each_in_postorder(const std::vector<SubtreeRange>& ranges, index_t nodes, const Subtree& subtree,
                           const Node& node) {
    index_t j = 0;
    for (std::size_t r = 0; r < ranges.size(); ++r) {
        for (; j < ranges[r].first; ++j) node(j);
        subtree(r);
        j = ranges[r].root + 1;
    }
    for (; j < nodes; ++j) node(j);
}

}  // namespace

// Column j of L has row i exactly when j lies in the row subtree of i, whose leaves are the
// neighbours j < i of i with no other neighbour of i below them (the skeleton of A). So
//     count(j) = sum over the subtree of j of delta, where each row i adds
//     +1 at its leaves, -1 at the least common ancestor of successive leaves, -1 at parent(i)
// (Gilbert, Ng & Peyton 1994, section 4, figure 3). Leaves are met in ascending order; j is one
// when the last leaf of i lies before first(j), and the common ancestor of that leaf and j is the
// root of the leaf's set when every finished node has been merged into its parent.
//
// In a subtree of its own the leaves of a row i above it are met as well. Between two subtrees the
// common ancestor of leaves is that of the subtrees' roots, so a subtree then counts as one leaf.
//
// delta is unsigned and may wrap: single steps can leave 32 bits, the sums never do.
std::vector<index_t> weighted_column_counts(const Pattern& graph, const std::vector<index_t>& weight,
                                            const PostorderedTree& tree, index_t threads) {
    const index_t n = static_cast<index_t>(tree.parent.size());
    ColumnCounter counter(graph, weight, tree);
    std::vector<SubtreeRange> ranges;
    std::vector<count_t> before(static_cast<std::size_t>(n) + 1, 0);  // entries
    count_t most_work = 0;
    if (threads > 1) {
        for (index_t j = 0; j < n; ++j) {
            const index_t v = tree.order[j];
            before[j + 1] = before[j] + graph.begin[v + 1] - graph.begin[v] + 1;
        }
        most_work = before.back() / (8 * threads);
        ranges = disjoint_subtrees(counter.first(), before, most_work);
    }
    const std::vector<index_t> chunk = chunks_of_subtrees(ranges, before, most_work / 2);
    const auto chunk_count = static_cast<count_t>(chunk.size()) - 1;
    std::vector<std::vector<index_t>> reached(ranges.size());  // rows above, by subtree
    on_threads(threads, chunk_count, [&](Chunks& chunks) {
        ZeroedArray last_above(static_cast<std::size_t>(n));
        for (count_t c = 0; chunks.take(c);)
            for (index_t r = chunk[c]; r < chunk[c + 1]; ++r) counter.count_below(ranges[r], last_above, reached[r]);
    });
    for_each_in_postorder(
        ranges, n, [&](std::size_t r) { counter.join(ranges[r], reached[r]); },
        [&](index_t j) { counter.count_above(j); });
    for_each_chunk(threads, chunk_count, [&](count_t c) {
        for (index_t r = chunk[c]; r < chunk[c + 1]; ++r) counter.sum_up(ranges[r]);
    });
    for_each_in_postorder(
        ranges, n, [&](std::size_t r) { counter.sum_up(ranges[r].root); }, [&](index_t j) { counter.sum_up(j); });
    return counter.count();
}

std::vector<index_t> column_counts(const Pattern& graph, const std::vector<index_t>& order,
                                   const std::vector<index_t>& parent) {
    FROND_EXPECTS(graph.cols == static_cast<index_t>(order.size()) && order.size() == parent.size(),
                  "graph, order and tree have " + std::to_string(graph.cols) + ", " + std::to_string(order.size()) +
                      " and " + std::to_string(parent.size()) + " vertices");
    FROND_EXPECTS(is_postordered(parent), "the tree is not postordered; renumber it by postorder()");
    return weighted_column_counts(graph, {}, {order, inverse_permutation(order), parent});
}

}  // namespace frond

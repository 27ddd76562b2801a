// SPDX-License-Identifier: BSD-3-Clause
#include "../base/on_threads.hpp"
#include "frond/base/vector_index.hpp"
#include "tree_parts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace frond {

namespace {

/// Fewer leaves than this below a parent are left alone: on meshes there is nothing to gain.
constexpr index_t smallest_star = 4;
/// A front of this time or more may go onto tiles, and its children become tasks.
constexpr double tiled_seconds = 5e-3;

/// What a leaf costs besides its front, and how far zeros may blow up the entries of a group.
struct LeafCost {
    double fixed_seconds;
    double largest_growth;
};

constexpr LeafCost inside_subtree = {0, 2};
constexpr LeafCost own_task = {10e-6, 6};

/// Leaves of stars by parent: leaf[begin[s] .. begin[s+1]); empty for the other nodes.
ChildLists star_leaves(const SupernodeTree& nodes) {
    const std::size_t n = nodes.npiv.size();
    std::vector<std::uint8_t> has_child(n, 0);
    for (index_t p : nodes.parent) {
        if (p >= 0) has_child[p] = 1;
    }
    std::vector<index_t> leaves(n, 0);
    for (std::size_t s = 0; s < n; ++s) {
        if (!has_child[s] && nodes.parent[s] >= 0) ++leaves[nodes.parent[s]];
    }
    std::vector<index_t> star_of(n, -1);
    for (std::size_t s = 0; s < n; ++s) {
        const index_t p = nodes.parent[s];
        if (!has_child[s] && p >= 0 && leaves[p] >= smallest_star) star_of[s] = p;
    }
    return child_lists(star_of);
}

double factor_entries(index_t npiv, std::size_t rows) {
    return static_cast<double>(npiv) * ((npiv + 1) / 2.0 + static_cast<double>(rows));
}

/// A leaf, or the group that it has become.
struct Leaf {
    index_t node;
    index_t npiv;
    std::vector<index_t> rows;  // elimination positions below its columns, ascending
    double entries;  // of its leaves when they were apart
    bool has_zero_block;  // its columns have no entry in their rows
};

/// So many columns that depend on each other are together that m of them take the least memory in all: a group of k has
/// k^2 / 2 entries and hands on one column or a few, which are (m / k)^2 entries of the parent. With many rows it would
/// hand on many.
index_t most_dependent_columns(count_t leaves) {
    constexpr double least = 64;
    return static_cast<index_t>(std::max(least, std::cbrt(4.0 * static_cast<double>(leaves))));
}

class LeafMerger {
public:
    LeafMerger(const SupernodeTree& nodes, const Pattern& graph, const PostorderedTree& elimination, Factorization kind,
               const std::vector<std::uint8_t>& without_diagonal)
        : nodes_(nodes),
          graph_(graph),
          elimination_(elimination),
          kind_(kind),
          without_diagonal_(without_diagonal),
          columns_(child_lists_of_columns(nodes)),
          npiv_(nodes.npiv),
          nfront_(nodes.nfront),
          into_(nodes.npiv.size(), -1) {}

    /// Stars have no leaf in common: several threads may merge different ones.
    void merge_star(index_t s, const index_t* first, const index_t* last, std::vector<index_t>& scratch);

    SupernodeTree result() const { return gathered_nodes(nodes_, npiv_, nfront_, into_); }

private:
    static ChildLists child_lists_of_columns(const SupernodeTree& nodes);
    std::vector<index_t> rows_of(index_t leaf) const;
    bool has_zero_block(index_t leaf) const;
    /// Where the group is then to be, with `rows` below its columns: together they take less time.
    bool pays(const Leaf& group, const Leaf& leaf, std::size_t rows, const LeafCost& cost) const;
    bool merge(Leaf& group, const Leaf& leaf, const LeafCost& cost, index_t most_dependent,
               std::vector<index_t>& scratch);

    const SupernodeTree& nodes_;
    const Pattern& graph_;
    const PostorderedTree& elimination_;
    Factorization kind_;
    const std::vector<std::uint8_t>& without_diagonal_;
    ChildLists columns_;  // of each node
    std::vector<index_t> npiv_;
    std::vector<index_t> nfront_;
    std::vector<index_t> into_;
};

ChildLists LeafMerger::child_lists_of_columns(const SupernodeTree& nodes) {
    ChildLists lists;
    lists.begin.assign(nodes.npiv.size() + 1, 0);
    for (std::size_t s = 0; s < nodes.npiv.size(); ++s) {
        lists.begin[s + 1] = lists.begin[s] + nodes.npiv[s];
    }
    lists.child.resize(nodes.node_of_column.size());
    std::vector<count_t> next(lists.begin.begin(), lists.begin.end() - 1);
    for (std::size_t k = 0; k < nodes.node_of_column.size(); ++k) {
        lists.child[next[nodes.node_of_column[k]]++] = static_cast<index_t>(k);
    }
    return lists;
}

/// A leaf gets nothing from children: its rows are the neighbours of its columns.
std::vector<index_t> LeafMerger::rows_of(index_t leaf) const {
    std::vector<index_t> rows;
    for (count_t c = columns_.begin[leaf]; c < columns_.begin[leaf + 1]; ++c) {
        const index_t v = elimination_.order[columns_.child[c]];
        for (count_t e = graph_.begin[v]; e < graph_.begin[v + 1]; ++e) {
            const index_t r = elimination_.position[graph_.row[e]];
            if (nodes_.node_of_column[r] != leaf) rows.push_back(r);
        }
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

bool LeafMerger::has_zero_block(index_t leaf) const {
    return !without_diagonal_.empty() && nodes_.npiv[leaf] == 1 &&
           without_diagonal_[at(elimination_.order[columns_.child[columns_.begin[leaf]]])] != 0;
}

bool LeafMerger::pays(const Leaf& group, const Leaf& leaf, std::size_t rows, const LeafCost& cost) const {
    const auto seconds = [&](count_t npiv, std::size_t height) {
        return front_seconds(npiv, npiv + static_cast<count_t>(height), kind_) + cost.fixed_seconds;
    };
    const index_t npiv = group.npiv + leaf.npiv;
    const double apart = seconds(group.npiv, group.rows.size()) + seconds(leaf.npiv, leaf.rows.size());
    const double entries = group.entries + leaf.entries;
    return seconds(npiv, rows) < apart && factor_entries(npiv, rows) <= cost.largest_growth * entries;
}

/// Puts leaf into group if the time predicted falls, or the columns depend on each other; the group's node is that of its
/// last leaf.
bool LeafMerger::merge(Leaf& group, const Leaf& leaf, const LeafCost& cost, index_t most_dependent,
                       std::vector<index_t>& scratch) {
    scratch.clear();
    std::set_union(group.rows.begin(), group.rows.end(), leaf.rows.begin(), leaf.rows.end(),
                   std::back_inserter(scratch));
    const index_t npiv = group.npiv + leaf.npiv;
    const bool zero = group.has_zero_block && leaf.has_zero_block;
    const std::size_t rows = scratch.size();  // the columns have no larger rank
    const bool dependent = zero && npiv <= most_dependent && rows < at(npiv) && rows <= at(most_dependent / 8);
    if (!dependent && !pays(group, leaf, scratch.size(), cost)) return false;
    const auto [low, high] = std::minmax(group.node, leaf.node);
    into_[low] = high;
    npiv_[high] = npiv;
    nfront_[high] = npiv + static_cast<index_t>(scratch.size());
    group.node = high;
    group.npiv = npiv;
    group.rows.swap(scratch);
    group.entries += leaf.entries;
    group.has_zero_block = zero;
    return true;
}

/// Leaves with like rows are neighbours when sorted by their rows; each joins the group before it.
void LeafMerger::merge_star(index_t s, const index_t* first, const index_t* last, std::vector<index_t>& scratch) {
    std::vector<Leaf> leaves;
    leaves.reserve(static_cast<std::size_t>(last - first));
    for (const index_t* leaf = first; leaf != last; ++leaf) {
        leaves.push_back({*leaf, nodes_.npiv[*leaf], rows_of(*leaf), 0, has_zero_block(*leaf)});
        Leaf& added = leaves.back();
        added.entries = factor_entries(added.npiv, added.rows.size());
    }
    std::sort(leaves.begin(), leaves.end(),
              [](const Leaf& a, const Leaf& b) { return a.rows != b.rows ? a.rows < b.rows : a.node < b.node; });
    const bool tiled = front_seconds(nodes_.npiv[s], nodes_.nfront[s], kind_) >= tiled_seconds;
    const index_t most_dependent = most_dependent_columns(last - first);
    Leaf* group = leaves.data();
    for (std::size_t k = 1; k < leaves.size(); ++k) {
        if (!merge(*group, leaves[k], tiled ? own_task : inside_subtree, most_dependent, scratch)) group = &leaves[k];
    }
}

}  // namespace

SupernodeTree merge_leaves(SupernodeTree nodes, const Pattern& graph, const PostorderedTree& elimination,
                           Factorization kind, const std::vector<std::uint8_t>& without_diagonal, index_t threads) {
    constexpr count_t nodes_of_chunk = 256;
    const ChildLists stars = star_leaves(nodes);
    if (stars.child.empty()) return nodes;
    LeafMerger merger(nodes, graph, elimination, kind, without_diagonal);
    const ChunkedRange range{nodes.nodes(), nodes_of_chunk};
    on_threads(threads, range.count(), [&](Chunks& chunks) {
        std::vector<index_t> scratch;
        const index_t* leaf = stars.child.data();
        for (count_t c = 0; chunks.take(c);)
            for (auto s = static_cast<index_t>(range.first(c)); s < range.last(c); ++s)
                if (stars.begin[s] < stars.begin[s + 1])
                    merger.merge_star(s, leaf + stars.begin[s], leaf + stars.begin[s + 1], scratch);
    });
    return merger.result();
}

}  // namespace frond

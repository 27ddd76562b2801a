// SPDX-License-Identifier: BSD-3-Clause
// The elimination tree and the counts of columns where each of several processes has some rows of the graph.
#include "forest.hpp"
#include "frond/analysis/distributed_steps.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/vector_index.hpp"

#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

namespace frond {

std::vector<index_t> inverse_permutation(const std::vector<index_t>& order) {
    const index_t n = static_cast<index_t>(order.size());
    std::vector<index_t> position(order.size(), -1);
    for (index_t k = 0; k < n; ++k) {
        const index_t v = order[k];
        FROND_EXPECTS(v >= 0 && v < n && position[v] < 0, "order[" + std::to_string(k) + "] = " + std::to_string(v) +
                                                              " is repeated or outside 0 .. " + std::to_string(n - 1) +
                                                              "; give each vertex once");
        position[v] = k;
    }
    return position;
}

// Row k of L is found by climbing from each i < k with a_ki != 0 to the root of its current tree,
// which becomes a child of k. ancestor[] holds short cuts: every node passed points to k afterwards
// (Liu 1990, section 5.2, "path compression"), O(nnz log n) at worst and near-linear in practice.
std::vector<index_t> elimination_tree(const Pattern& graph, const std::vector<index_t>& order,
                                      const std::vector<index_t>& position) {
    const index_t n = static_cast<index_t>(order.size());
    std::vector<index_t> parent(order.size(), -1);
    std::vector<index_t> ancestor(order.size(), -1);
    for (index_t k = 0; k < n; ++k) {
        const index_t v = order[k];
        for (count_t e = graph.begin[v]; e < graph.begin[v + 1]; ++e) {
            index_t i = position[graph.row[e]];
            while (i < k) {
                const index_t next = std::exchange(ancestor[i], k);
                if (next < 0) {
                    parent[i] = k;
                    break;
                }
                i = next;
            }
        }
    }
    return parent;
}

std::vector<index_t> elimination_tree(const Pattern& graph, const std::vector<index_t>& order) {
    FROND_EXPECTS(graph.cols == static_cast<index_t>(order.size()), "the graph has " + std::to_string(graph.cols) +
                                                                        " vertices, the order " +
                                                                        std::to_string(order.size()));
    return elimination_tree(graph, order, inverse_permutation(order));
}

// Members of a group are neighbours of each other and have the same neighbours otherwise, so the
// column of each is that of the one before it without its own row, and the least row below the last
// of them is the first member of the group's parent.
CountedTree expand_tree(const CountedTree& groups, const std::vector<count_t>& member_begin,
                        const std::vector<index_t>& member) {
    const PostorderedTree& tree = groups.tree;
    std::vector<index_t> first(tree.order.size());  // position of the group's first member
    index_t place = 0;
    for (std::size_t k = 0; k < first.size(); ++k) {
        const index_t g = tree.order[k];
        first[k] = place;
        place += static_cast<index_t>(member_begin[g + 1] - member_begin[g]);
    }
    CountedTree result;
    result.tree.order.resize(member.size());
    result.tree.position.resize(member.size());
    result.tree.parent.resize(member.size());
    result.count.resize(member.size());
    for (std::size_t k = 0; k < first.size(); ++k) {
        const index_t g = tree.order[k];
        index_t at = first[k];
        index_t count = groups.count[k];
        for (count_t m = member_begin[g]; m < member_begin[g + 1]; ++m, ++at) {
            result.tree.order[at] = member[m];
            result.tree.position[member[m]] = at;
            result.tree.parent[at] = at + 1;
            result.count[at] = count--;
        }
        result.tree.parent[at - 1] = tree.parent[k] < 0 ? -1 : first[tree.parent[k]];
    }
    return result;
}

namespace {

std::vector<index_t> as_they_are(std::size_t n) {
    std::vector<index_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

}  // namespace

Pattern rows_by_position(std::span<const index_t> vertex, std::span<const count_t> begin,
                         std::span<const index_t> neighbour, const std::vector<index_t>& position) {
    const auto for_lower = [&](const auto& visit) {
        for (std::size_t r = 0; r < vertex.size(); ++r) {
            const index_t k = position[at(vertex[r])];
            for (count_t e = begin[r]; e < begin[r + 1]; ++e)
                if (const index_t j = position[at(neighbour[at(e)])]; j < k) visit(k, j);
        }
    };
    Pattern rows;
    rows.rows = rows.cols = static_cast<index_t>(position.size());
    rows.begin.assign(position.size() + 1, 0);
    for_lower([&](index_t k, index_t) { ++rows.begin[at(k) + 1]; });
    std::partial_sum(rows.begin.begin(), rows.begin.end(), rows.begin.begin());
    rows.row.resize(at(rows.begin.back()));
    std::vector<count_t> next(rows.begin.begin(), rows.begin.end() - 1);
    for_lower([&](index_t k, index_t j) { rows.row[at(next[at(k)]++)] = j; });
    return rows;
}

std::vector<index_t> elimination_tree_of_rows(const Pattern& rows) {
    const std::vector<index_t> order = as_they_are(at(rows.cols));
    return elimination_tree(rows, order, order);
}

std::vector<index_t> merged_elimination_trees(const std::vector<index_t>& a, const std::vector<index_t>& b) {
    FROND_EXPECTS(a.size() == b.size(), "trees of " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                                            " columns are not of one order");
    Pattern rows;
    rows.rows = rows.cols = static_cast<index_t>(a.size());
    rows.begin.assign(a.size() + 1, 0);
    const auto for_edges = [&](const auto& visit) {
        for (std::size_t j = 0; j < a.size(); ++j) {
            if (a[j] >= 0) visit(a[j], static_cast<index_t>(j));
            if (b[j] >= 0 && b[j] != a[j]) visit(b[j], static_cast<index_t>(j));
        }
    };
    for_edges([&](index_t k, index_t) { ++rows.begin[at(k) + 1]; });
    std::partial_sum(rows.begin.begin(), rows.begin.end(), rows.begin.begin());
    rows.row.resize(at(rows.begin.back()));
    std::vector<count_t> next(rows.begin.begin(), rows.begin.end() - 1);
    for_edges([&](index_t k, index_t j) { rows.row[at(next[at(k)]++)] = j; });
    return elimination_tree_of_rows(rows);
}

PostorderedTree postordered(const std::vector<index_t>& order, std::vector<index_t> parent) {
    return postordered_tree(order, inverse_permutation(order), std::move(parent));
}

// A leaf of row i is a neighbour j < i with no other neighbour of i below it: +1 there, -1 where its path joins that of the
// leaf before.
std::vector<count_t> deltas_of_rows(const Pattern& rows, const PostorderedTree& tree) {
    const Pattern columns = transposed(rows);
    const std::vector<index_t> first = first_descendants(tree.parent);
    std::vector<count_t> delta(tree.parent.size(), 0);
    std::vector<index_t> above = as_they_are(tree.parent.size()), last_leaf(tree.parent.size(), -1);
    for (index_t j = 0; j < columns.cols; ++j) {
        for (count_t e = columns.begin[at(j)]; e < columns.begin[at(j) + 1]; ++e) {
            index_t& last = last_leaf[at(columns.row[at(e)])];
            if (last >= first[at(j)]) continue;
            ++delta[at(j)];
            if (last >= 0) --delta[at(find_root(above, last))];
            last = j;
        }
        if (tree.parent[at(j)] >= 0) above[at(j)] = tree.parent[at(j)];
    }
    return delta;
}

std::vector<index_t> counts_of_deltas(const std::vector<count_t>& delta, const PostorderedTree& tree) {
    std::vector<count_t> sum = delta;
    std::vector<bool> has_child(delta.size(), false);
    for (std::size_t j = 0; j < sum.size(); ++j) {
        if (!has_child[j]) ++sum[j];  // its own row begins here
        const index_t parent = tree.parent[j];
        if (parent < 0) continue;
        has_child[at(parent)] = true;
        sum[at(parent)] += sum[j] - 1;  // the row of the parent ends here
    }
    return {sum.begin(), sum.end()};
}

}  // namespace frond

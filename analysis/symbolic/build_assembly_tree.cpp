// SPDX-License-Identifier: BSD-3-Clause
#include "../base/on_threads.hpp"
#include "../ordering/ordering_parts.hpp"
#include "../placement/mapping_parts.hpp"
#include "frond/analysis/distributed_steps.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "tree_parts.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace frond {
namespace {

/// result[k] = node visited k-th when children follow each other as listed: each subtree takes the
/// next size[] positions of its parent's range, and its root the last of them.
std::vector<index_t> listed_postorder(const std::vector<index_t>& parent, const ChildLists& lists,
                                      const std::vector<index_t>& roots) {
    const index_t n = static_cast<index_t>(parent.size());
    std::vector<index_t> size(parent.size(), 1);
    for (index_t s = 0; s < n; ++s) {
        if (parent[s] >= 0) size[parent[s]] += size[s];
    }
    std::vector<index_t> end(parent.size());
    std::vector<index_t> post(parent.size());
    index_t cursor = 0;
    for (index_t r : roots) end[r] = cursor += size[r];
    for (index_t s = n - 1; s >= 0; --s) {
        post[end[s] - 1] = s;
        cursor = end[s] - size[s];
        for (count_t c = lists.begin[s]; c < lists.begin[s + 1]; ++c) {
            end[lists.child[c]] = cursor += size[lists.child[c]];
        }
    }
    return post;
}

}  // namespace

// Children by descending peak - left: what a child needs beyond what it leaves behind is cheapest
// while little has piled up (Liu 1986, theorem 3.2). The roots are children of nothing and obey the
// same rule, since their factors pile up, too.
std::vector<index_t> least_peak_postorder(const SupernodeTree& nodes, Factorization kind) {
    ChildLists lists = child_lists(nodes.parent);
    std::vector<SubtreeMemory> memory(nodes.npiv.size());
    const auto contribution = [&](index_t s) {
        const count_t ncb = nodes.nfront[s] - nodes.npiv[s];
        return ncb * ncb;
    };
    const auto before = [&](index_t a, index_t b) {
        return std::pair(memory[b].peak - memory[b].left, a) < std::pair(memory[a].peak - memory[a].left, b);
    };
    std::vector<index_t> roots;
    for (index_t s = 0; s < nodes.nodes(); ++s) {
        const auto first = lists.child.begin() + lists.begin[s];
        const auto last = lists.child.begin() + lists.begin[s + 1];
        std::sort(first, last, before);
        SubtreeMemorySum sum;
        for (auto c = first; c != last; ++c) sum.add_child(memory[*c], contribution(*c));
        const count_t panels = front_panels({0, nodes.npiv[s], nodes.nfront[s], -1, 0}, kind).size;
        memory[s] = sum.finish(panels, contribution(s));
        if (nodes.parent[s] < 0) roots.push_back(s);
    }
    std::sort(roots.begin(), roots.end(), before);
    return listed_postorder(nodes.parent, lists, roots);
}

namespace {

void check_pairs(const Pattern& graph, const std::vector<index_t>& partner) {
    const index_t n = graph.cols;
    for (index_t v = 0; v < n; ++v) {
        const index_t w = partner[v];
        FROND_EXPECTS(w >= 0 && w < n && partner[w] == v,
                      "partner[" + std::to_string(v) + "] = " + std::to_string(w) + " does not point back");
        const auto first = graph.row.begin() + graph.begin[v];
        const auto last = graph.row.begin() + graph.begin[v + 1];
        FROND_EXPECTS(w == v || std::binary_search(first, last, w),
                      "the pair " + std::to_string(v) + ", " + std::to_string(w) + " is no entry of the matrix");
    }
}

/// flag[k] = 1: positions k and k + 1 are a pair.
std::vector<std::uint8_t> pair_flags(const std::vector<index_t>& order, const std::vector<index_t>& partner) {
    std::vector<std::uint8_t> flag(order.size(), 0);
    for (std::size_t k = 0; k + 1 < order.size(); ++k) {
        flag[k] = partner[order[k]] == order[k + 1];
    }
    return flag;
}

/// Fronts and the tree over them from nodes visited as `post` says; rows are found later.
AssemblyTree tree_of_fronts(const SupernodeTree& nodes, const std::vector<index_t>& post) {
    const std::vector<index_t> rank = inverse_permutation(post);
    AssemblyTree tree;
    tree.order = static_cast<index_t>(nodes.node_of_column.size());
    tree.fronts.reserve(post.size());
    index_t column = 0;
    for (const index_t s : post) {
        const index_t parent = nodes.parent[s] < 0 ? -1 : rank[nodes.parent[s]];
        tree.fronts.push_back({column, nodes.npiv[s], nodes.nfront[s], parent, 0});
        column += nodes.npiv[s];
    }
    link_fronts(tree);
    return tree;
}

/// Renumbers the columns so that those of each front follow each other, in their old order.
void gather_columns(const AssemblyTree& tree, const SupernodeTree& nodes, const std::vector<index_t>& post,
                    PostorderedTree& elimination) {
    std::vector<index_t> next(post.size());  // by node
    for (std::size_t f = 0; f < post.size(); ++f) next[post[f]] = tree.fronts[f].first_column;
    std::vector<index_t> order(elimination.order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        order[next[nodes.node_of_column[k]]++] = elimination.order[k];
    }
    elimination.order = std::move(order);
    for (std::size_t k = 0; k < elimination.order.size(); ++k) {
        elimination.position[elimination.order[k]] = static_cast<index_t>(k);
    }
    elimination.parent.clear();
}

/// Takes the counts.
SupernodeTree amalgamated_nodes(CountedTree& elimination, const std::vector<std::uint8_t>& pair_with_next,
                                Factorization kind, const AnalysisOptions& options, index_t& before) {
    const SupernodeTree nodes = fundamental_supernodes(elimination.tree, std::move(elimination.count), pair_with_next);
    before = nodes.nodes();
    return amalgamate(nodes, kind, options.amalgamation_zeros, options.ranks > 1 ? least_shared_order : 0);
}

/// Fronts in the order of least peak memory; columns get their positions in them.
AssemblyTree ordered_fronts(const SupernodeTree& nodes, Factorization kind, PostorderedTree& columns) {
    const std::vector<index_t> post = least_peak_postorder(nodes, kind);
    AssemblyTree tree = tree_of_fronts(nodes, post);
    gather_columns(tree, nodes, post, columns);
    return tree;
}

}  // namespace

void link_fronts(AssemblyTree& tree) {
    std::vector<index_t> parent;
    for (const Front& front : tree.fronts) parent.push_back(front.parent);
    tree.first_descendant.resize(parent.size());
    for (std::size_t f = 0; f < parent.size(); ++f) tree.first_descendant[f] = static_cast<index_t>(f);
    for (std::size_t f = 0; f < parent.size(); ++f) {
        if (parent[f] < 0) continue;
        index_t& first = tree.first_descendant[parent[f]];
        first = std::min(first, tree.first_descendant[f]);
    }
    ChildLists lists = child_lists(parent);
    tree.child_begin = std::move(lists.begin);
    tree.children = std::move(lists.child);
}

AssemblyTree build_assembly_tree(const Pattern& graph, std::vector<index_t>& order, const std::vector<index_t>& partner,
                                 Factorization kind, const AnalysisOptions& options,
                                 index_t* supernodes_before_amalgamation) {
    const auto n = static_cast<std::size_t>(graph.cols);
    if (partner.size() == n && order.size() == n) {
        check_pairs(graph, partner);
        inverse_permutation(order);
        order = with_pairs_adjacent(order, partner);
    }
    return build_assembly_tree(graph, counted_tree(graph, {}, order), partner, kind, options, order,
                               supernodes_before_amalgamation);
}

AssemblyTree build_assembly_tree(const Pattern& graph, CountedTree elimination, const std::vector<index_t>& partner,
                                 Factorization kind, const AnalysisOptions& options, std::vector<index_t>& order,
                                 index_t* supernodes_before_amalgamation,
                                 const std::vector<std::uint8_t>& without_diagonal) {
    PostorderedTree& tree_of_columns = elimination.tree;
    FROND_EXPECTS(graph.cols == static_cast<index_t>(tree_of_columns.order.size()) &&
                      (partner.empty() || partner.size() == tree_of_columns.order.size()),
                  "graph, order and partner have " + std::to_string(graph.cols) + ", " +
                      std::to_string(tree_of_columns.order.size()) + " and " + std::to_string(partner.size()) +
                      " vertices");
    std::vector<std::uint8_t> pair_with_next;
    if (!partner.empty()) {
        check_pairs(graph, partner);
        pair_with_next = pair_flags(tree_of_columns.order, partner);
    }
    const index_t threads = threads_for(options.threads, graph.entries());
    index_t before = 0;
    SupernodeTree nodes = amalgamated_nodes(elimination, pair_with_next, kind, options, before);
    if (supernodes_before_amalgamation) *supernodes_before_amalgamation = before;
    if (options.amalgamation_zeros == 0) {
        nodes = merge_leaves(std::move(nodes), graph, tree_of_columns, kind, without_diagonal, threads);
    }
    AssemblyTree tree = ordered_fronts(nodes, kind, tree_of_columns);
    find_front_rows(graph, tree_of_columns, tree, threads);
    find_relative_rows(tree);
    order = std::move(tree_of_columns.order);
    return tree;
}

FrontsOfColumns fronts_of_columns(CountedTree elimination, Factorization kind, const AnalysisOptions& options) {
    FrontsOfColumns fronts;
    const SupernodeTree nodes =
        amalgamated_nodes(elimination, {}, kind, options, fronts.supernodes_before_amalgamation);
    fronts.tree = ordered_fronts(nodes, kind, elimination.tree);
    fronts.order = std::move(elimination.tree.order);
    return fronts;
}

}  // namespace frond

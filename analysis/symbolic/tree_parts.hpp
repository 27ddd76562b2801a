// SPDX-License-Identifier: BSD-3-Clause
// Parts of build_assembly_tree. Private to analysis/.
#pragma once

#include "forest.hpp"
#include "frond/analysis/analysis.hpp"

#include <cstdint>
#include <vector>

namespace frond {

/// Nodes 0 .. nodes-1 of a forest with parent[s] > s. Node s has npiv[s] columns; nfront[s] counts
/// them and the rows below, so that a child has at most nfront[parent] rows below its columns.
struct SupernodeTree {
    std::vector<index_t> npiv;
    std::vector<index_t> nfront;
    std::vector<index_t> parent;
    std::vector<index_t> node_of_column;  // [n]

    index_t nodes() const { return static_cast<index_t>(npiv.size()); }
};

/// Children of all nodes, ascending: child[begin[s] .. begin[s+1]).
struct ChildLists {
    std::vector<count_t> begin;
    std::vector<index_t> child;
};

ChildLists child_lists(const std::vector<index_t>& parent);

/// Maximal chains of columns with one structure and no branch between them (Liu, Ng & Peyton 1993).
/// Both columns of a pair are in one node: the first takes the structure of the second.
SupernodeTree fundamental_supernodes(const PostorderedTree& tree, std::vector<index_t> count,
                                     const std::vector<std::uint8_t>& pair_with_next);

/// Merges children into parents. zeros_share > 0: while explicit zeros stay below that share of the
/// entries of the merged node; else while the predicted time of the factorization falls. apart_from > 0:
/// of several children of that order or more none is merged.
SupernodeTree amalgamate(const SupernodeTree& fine, Factorization kind, double zeros_share, index_t apart_from = 0);

/// Merges leaves of one parent with each other where many hang below it (stars, as the slacks of an
/// optimization problem or the rim of a hub): alike rows make one wide leaf of many narrow ones. Columns with nothing on
/// the diagonal that are more than the rows below them depend on each other. Their front shows it, and hands on few; as
/// leaves of their own all of them would go to the parent, and make it a dense front.
SupernodeTree merge_leaves(SupernodeTree nodes, const Pattern& graph, const PostorderedTree& elimination,
                           Factorization kind, const std::vector<std::uint8_t>& without_diagonal, index_t threads = 1);

/// The nodes s with into[s] < 0, of sizes npiv and nfront, numbered in their old order; the others
/// are part of node into[s] > s.
SupernodeTree gathered_nodes(const SupernodeTree& fine, const std::vector<index_t>& npiv,
                             const std::vector<index_t>& nfront, const std::vector<index_t>& into);

/// Predicted seconds of one front, its assembly into the parent included.
double front_seconds(count_t npiv, count_t nfront, Factorization kind);

/// Nodes in a postorder whose children stand in the order of least peak memory (Liu 1986):
/// result[k] = node visited k-th.
std::vector<index_t> least_peak_postorder(const SupernodeTree& nodes, Factorization kind);

/// Memory in scalars of the sequential factorization around one subtree: the peak while it runs and
/// what it leaves behind (its factor panels and its contribution block).
struct SubtreeMemory {
    count_t peak = 0;
    count_t left = 0;
};

/// Adds one more child, then finally the front itself; in that order.
struct SubtreeMemorySum {
    count_t peak = 0;
    count_t left = 0;  // by the children so far
    count_t contributions = 0;  // the part of it that the front's assembly frees

    void add_child(const SubtreeMemory& child, count_t contribution) {
        if (left + child.peak > peak) peak = left + child.peak;
        left += child.left;
        contributions += contribution;
    }

    SubtreeMemory finish(count_t panels, count_t contribution) const {
        const count_t assembled = left + panels + contribution;
        return {assembled > peak ? assembled : peak, assembled - contributions};
    }
};

/// Fills children and first_descendant of fronts in postorder whose parents are set.
void link_fronts(AssemblyTree& tree);

/// Fills rows (and the fronts' rows_begin) of a tree whose fronts and children are set.
void find_front_rows(const Pattern& graph, const PostorderedTree& elimination, AssemblyTree& tree, index_t threads = 1);

/// The analysis but for its tree and what follows from that.
Analysis without_tree(const Analysis& a);

/// Fills relative_rows.
void find_relative_rows(AssemblyTree& tree);

}  // namespace frond

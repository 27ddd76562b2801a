// SPDX-License-Identifier: BSD-3-Clause
// Parts of build_assembly_tree. Private to analysis/.
#pragma once

#include "../supernodes/supernodes.hpp"
#include "frond/analysis/assembly_tree.hpp"

namespace frond {

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

/// Fills relative_rows.
void find_relative_rows(AssemblyTree& tree);

}  // namespace frond

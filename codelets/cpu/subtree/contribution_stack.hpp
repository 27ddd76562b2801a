// SPDX-License-Identifier: BSD-3-Clause
// Sizes on the stack of contribution blocks of a subtree. The blocks of a front's children lie on
// top of the stack in ascending order, so sizes alone tell where they are (Duff & Reid 1983; Liu
// 1992, 5.1).
#pragma once

#include "frond/cpu/subtree.hpp"

namespace frond::cpu {

/// Scalars of the contribution block [ncb, ncb] on the stack.
inline count_t block_scalars(const Front& front) {
    const count_t ncb = front.ncb();
    return round_up_8(ncb * ncb);
}

inline bool has_children(const AssemblyTree& tree, index_t f) {
    const auto at = static_cast<std::size_t>(f);
    return tree.child_begin[at] != tree.child_begin[at + 1];
}

inline count_t children_scalars(const AssemblyTree& tree, index_t f) {
    const auto at = static_cast<std::size_t>(f);
    count_t scalars = 0;
    for (count_t c = tree.child_begin[at]; c < tree.child_begin[at + 1]; ++c) {
        const index_t child = tree.children[static_cast<std::size_t>(c)];
        scalars += block_scalars(tree.fronts[static_cast<std::size_t>(child)]);
    }
    return scalars;
}

/// Kernel workspace at the start of the arena; the stack follows.
count_t subtree_workspace_scalars(const AssemblyTree& tree, const Subtree& subtree, Factorization kind);

}  // namespace frond::cpu

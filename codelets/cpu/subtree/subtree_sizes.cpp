// SPDX-License-Identifier: BSD-3-Clause
#include "front_assembly.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/subtree.hpp"

#include <algorithm>

namespace frond::cpu {

count_t subtree_factor_scalars(const AssemblyTree& tree, const Subtree& subtree, Factorization kind) {
    count_t scalars = 0;
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f)
        scalars += front_panels(tree.fronts[static_cast<std::size_t>(f)], kind).size;
    return scalars;
}

/// Largest kernel workspace of a front + peak of the stack: the same walk as factor_subtree's.
count_t subtree_arena_scalars(const AssemblyTree& tree, const Subtree& subtree, Factorization kind) {
    const count_t workspace = subtree_workspace_scalars(tree, subtree, kind);
    count_t top = 0, peak = 0;
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
        const count_t own = f == subtree.root_front ? 0 : block_scalars(tree.fronts[static_cast<std::size_t>(f)]);
        peak = std::max(peak, top + own);
        top += own - children_scalars(tree, f);
    }
    return workspace + peak;
}

count_t subtree_workspace_scalars(const AssemblyTree& tree, const Subtree& subtree, Factorization kind) {
    count_t workspace = 0;
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
        const Front& front = tree.fronts[static_cast<std::size_t>(f)];
        workspace = std::max(workspace, factor_front_workspace(kind, front.npiv, front.nfront));
    }
    return round_up_8(workspace);
}

/// The contribution rows of the largest front, and where they are: an index is no larger than a scalar.
count_t subtree_solve_scalars(const AssemblyTree& tree, const Subtree& subtree, index_t nrhs) {
    index_t ncb = 0;
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f)
        ncb = std::max(ncb, tree.fronts[static_cast<std::size_t>(f)].ncb());
    static_assert(sizeof(index_t) <= sizeof(float));
    return static_cast<count_t>(ncb) * (nrhs + 1);
}

}  // namespace frond::cpu

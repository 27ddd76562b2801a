// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/steps.hpp"
#include "tree_parts.hpp"

#include <algorithm>

namespace frond {

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

}  // namespace frond

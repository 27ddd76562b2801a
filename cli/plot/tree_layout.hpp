// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"

#include <vector>

namespace frond::cli {

/// One front that is drawn, its square centred at x, y.
struct FrontFactorViews {
    index_t front = 0;
    index_t parent = -1;  // position in TreeLayout::fronts; -1 at a root
    index_t level = 0;
    double side = 0;
    double x = 0, y = 0;
    index_t hidden_fronts = 0;  // in the subtrees below it that are not drawn
};

struct TreeLayout {
    std::vector<FrontFactorViews> fronts;  // parents before children
    double width = 0, height = 0;
    double units_per_row = 0;  // side of a square / order of its front
    double drawn_flops_share = 1;
};

/// Places the costliest fronts (by the flops of their subtrees: a connected top of the tree), at
/// most `most`, in layers below their parents, within about width x height.
TreeLayout lay_out_tree(const AssemblyTree& tree, const CostModel& cost, index_t most, double width, double height);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "solve/solve_steps.hpp"

#include <algorithm>

#include "frond/codelets/inverse_block.hpp"

namespace frond::gpu {
namespace {

void add_step(SolveSteps& all, index_t first, index_t width, bool upper) {
    const count_t scalars = static_cast<count_t>(width) * width;
    SolveStep step{first, width, all.scalars, -1};
    all.scalars += scalars;
    if (upper) {
        step.upper = all.scalars;
        all.scalars += scalars;
    }
    all.steps.push_back(step);
}

}  // namespace

SolveSteps solve_steps(const Analysis& analysis) {
    const bool lu = analysis.factorization == Factorization::lu;
    SolveSteps all;
    all.begin.push_back(0);
    for (std::size_t f = 0; f < analysis.tree.fronts.size(); ++f) {
        const index_t grid = analysis.mapping.grid_of_front[f], npiv = analysis.tree.fronts[f].npiv;
        if (grid >= 0) {
            const TileGrid& g = analysis.mapping.grids[static_cast<std::size_t>(grid)];
            for (index_t k = 0; k < g.own_tiles; ++k) add_step(all, g.cut[static_cast<std::size_t>(k)], g.size(k), lu);
        } else {
            for (index_t k = 0; k < npiv; k += inverse_block) add_step(all, k, std::min(inverse_block, npiv - k), lu);
        }
        all.begin.push_back(static_cast<count_t>(all.steps.size()));
    }
    return all;
}

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/front_panels.hpp"
#include "mapping_parts.hpp"

#include <algorithm>
#include <functional>

namespace frond {

namespace {

/// Scalars of a front on tiles: those kept as factors, and those of its contribution block.
struct TiledScalars {
    count_t factors = 0;
    count_t contribution = 0;
};

/// Symmetric kinds keep the tiles on and below the diagonal, each of them whole.
TiledScalars tiled_scalars(const TileGrid& grid, const Front& front, Factorization kind) {
    count_t factors = 0, contribution = 0;
    for (index_t t = 0; t < grid.tiles(); ++t) {
        const count_t below = front.nfront - grid.cut[t];
        const count_t column = grid.size(t) * below;
        (t < grid.own_tiles ? factors : contribution) += column;
        if (kind != Factorization::lu) continue;
        const count_t right = grid.size(t) * (below - grid.size(t));
        (t < grid.own_tiles ? factors : contribution) += right;
    }
    const FrontPanels panels = front_panels(front, kind);
    return {factors + panels.size - panels.pivots, contribution};
}

/// Memory over a sequential run whose steps are whole subtrees and fronts on tiles.
struct StepwiseRun {
    count_t factors = 0;
    count_t stack = 0;
    count_t peak = 0;  // of factors and stack
    count_t stack_peak = 0;  // of the stack alone
    count_t everything = 0;  // if nothing were ever freed

    void allocate(count_t factor_scalars, count_t stack_scalars) {
        factors += factor_scalars;
        stack += stack_scalars;
        everything += factor_scalars + stack_scalars;
        peak = std::max(peak, factors + stack);
        stack_peak = std::max(stack_peak, stack);
    }
};

StepwiseRun run_stepwise(const AssemblyTree& tree, const Mapping& mapping, Factorization kind) {
    std::vector<count_t> block(tree.fronts.size(), 0);  // contribution alive on the stack
    StepwiseRun run;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        if (mapping.subtree_of_front[f] >= 0) {
            const Subtree& subtree = mapping.subtrees[mapping.subtree_of_front[f]];
            if (f != subtree.root_front) continue;
            run.allocate(subtree.factor_scalars, subtree.stack_scalars);
            block[f] = count_t{tree.fronts[f].ncb()} * tree.fronts[f].ncb();
            run.stack -= subtree.stack_scalars - block[f];
            continue;
        }
        const TiledScalars scalars = tiled_scalars(mapping.grids[mapping.grid_of_front[f]], tree.fronts[f], kind);
        block[f] = scalars.contribution;
        run.allocate(scalars.factors, block[f]);
        for (count_t c = tree.child_begin[f]; c < tree.child_begin[f + 1]; ++c) {
            run.stack -= block[tree.children[c]];
        }
    }
    return run;
}

}  // namespace

// peak = what one step after the other needs (the submitter can always go on with that much)
//      + for each worker but one, the largest subtrees that can run at the same time
//      + 30% of the stack's peak, for fronts that are started before their turn,
// and never more than everything at once.
count_t parallel_peak(const AssemblyTree& tree, const Mapping& mapping, Factorization kind) {
    const StepwiseRun run = run_stepwise(tree, mapping, kind);
    std::vector<count_t> sizes;
    sizes.reserve(mapping.subtrees.size());
    for (const Subtree& s : mapping.subtrees) sizes.push_back(s.factor_scalars + s.stack_scalars);
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    count_t beside = 0;
    for (std::size_t s = 0; s < sizes.size() && static_cast<index_t>(s) + 1 < mapping.workers; ++s) {
        beside += sizes[s];
    }
    return std::min(run.everything, run.peak + beside + run.stack_peak * 3 / 10);
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/distributed_steps.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "mapping_parts.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <thread>

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

namespace {

/// The workers to cut for; a number of its own when results must not depend on the machine.
index_t workers_to_cut_for(const AnalysisOptions& options) {
    constexpr index_t deterministic_workers = 8;
    if (options.deterministic) return deterministic_workers;
    if (options.workers > 0) return options.workers;
    return std::max(1, static_cast<index_t>(std::thread::hardware_concurrency()));
}

index_t gpus_to_cut_for(const AnalysisOptions& options) {
    return options.deterministic ? 0 : std::max(0, options.cut_for_gpus);
}

/// What was measured on this machine must not change results.
TreeCut cut_of(const AnalysisOptions& options) { return options.deterministic ? TreeCut{} : options.tree_cut; }

void check_tree_cut(const TreeCut& cut) {
    FROND_EXPECTS(cut.smallest_tile >= 1 && cut.largest_tile >= cut.smallest_tile && cut.card_tile >= 1,
                  "tree_cut has tiles of " + std::to_string(cut.smallest_tile) + " to " +
                      std::to_string(cut.largest_tile) + ", on cards of " + std::to_string(cut.card_tile) +
                      "; give 1 or more, the larger bound last");
    FROND_EXPECTS(cut.tiles_along_front > 0 && cut.subtrees_per_worker > 0 && cut.operations_of_submission >= 0,
                  "tree_cut has " + std::to_string(cut.tiles_along_front) + " tiles along a front, " +
                      std::to_string(cut.subtrees_per_worker) + " subtrees a worker and " +
                      std::to_string(cut.operations_of_submission) +
                      " operations while a task is submitted; give positive numbers");
}

void check_mapping_options(const AnalysisOptions& options) {
    FROND_EXPECTS(options.tile_size >= 0 && options.workers >= 0,
                  "tile_size = " + std::to_string(options.tile_size) +
                      " and workers = " + std::to_string(options.workers) + " must not be negative; 0 chooses");
    check_tree_cut(options.tree_cut);
    FROND_EXPECTS(options.ranks >= 1,
                  "a tree is cut for " + std::to_string(options.ranks) + " processes; give 1 or more");
}

/// Cuts the fronts that are in no subtree. For several ranks parents come first: their cuts are those of what they
/// receive.
void cut_fronts(const AssemblyTree& tree, const std::vector<std::uint8_t>& pair_with_next,
                const AnalysisOptions& options, Mapping& mapping) {
    for (index_t f = 0, grids = 0; f < tree.front_count(); ++f)
        if (mapping.subtree_of_front[f] < 0) mapping.grid_of_front[f] = grids++;
    mapping.grids.resize(tree.fronts.size() - static_cast<std::size_t>(std::count(mapping.grid_of_front.begin(),
                                                                                  mapping.grid_of_front.end(), -1)));
    for (index_t f = tree.front_count() - 1; f >= 0; --f) {
        if (mapping.grid_of_front[f] < 0) continue;
        const Front& front = tree.fronts[f];
        const index_t tile_size = options.tile_size > 0 ? options.tile_size
                                                        : tile_size_of(front.nfront, mapping.workers,
                                                                       gpus_to_cut_for(options), cut_of(options));
        const TileGrid* const parent =
            options.ranks > 1 && front.parent >= 0 ? &mapping.grids[mapping.grid_of_front[front.parent]] : nullptr;
        mapping.grids[mapping.grid_of_front[f]] = cut_front(tree, f, tile_size, pair_with_next, parent);
    }
}

}  // namespace

std::vector<Subtree> subtrees_of(const AssemblyTree& tree, const CostModel& cost, Factorization kind,
                                 const AnalysisOptions& options) {
    return choose_subtrees(tree, cost, kind, workers_to_cut_for(options), gpus_to_cut_for(options), cut_of(options));
}

Mapping map_tree(const AssemblyTree& tree, CostModel& cost, Factorization kind,
                 const std::vector<std::uint8_t>& pair_with_next, const AnalysisOptions& options) {
    check_mapping_options(options);
    Mapping mapping;
    mapping.workers = workers_to_cut_for(options);
    mapping.subtrees = subtrees_of(tree, cost, kind, options);
    mapping.subtree_of_front.assign(tree.fronts.size(), -1);
    mapping.grid_of_front.assign(tree.fronts.size(), -1);
    for (std::size_t s = 0; s < mapping.subtrees.size(); ++s) {
        const Subtree& subtree = mapping.subtrees[s];
        std::fill(mapping.subtree_of_front.begin() + subtree.first_front,
                  mapping.subtree_of_front.begin() + subtree.root_front + 1, static_cast<index_t>(s));
    }
    cut_fronts(tree, pair_with_next, options, mapping);
    mapping.bottom_level_flops = cost.front_flops;
    for (index_t f = tree.front_count() - 1; f >= 0; --f) {
        const index_t parent = tree.fronts[f].parent;
        if (parent >= 0) mapping.bottom_level_flops[f] += mapping.bottom_level_flops[parent];
    }
    cost.peak_scalars_parallel = parallel_peak(tree, mapping, kind);
    return mapping;
}

Mapping map_one_front(const AssemblyTree& tree, const CostModel& cost, const AnalysisOptions& options) {
    check_mapping_options(options);
    Mapping mapping;
    mapping.workers = workers_to_cut_for(options);
    mapping.subtree_of_front.assign(tree.fronts.size(), -1);
    mapping.grid_of_front.assign(tree.fronts.size(), -1);
    cut_fronts(tree, {}, options, mapping);
    mapping.bottom_level_flops = cost.front_flops;
    return mapping;
}

}  // namespace frond

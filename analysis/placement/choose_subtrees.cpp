// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/front_panels.hpp"
#include "mapping_parts.hpp"

#include <algorithm>

namespace frond {

namespace {

/// So many for one worker that cuts for the memory alone: with 8 it needs no more than two, in 5 to 7%
/// more time than with a single task; with 4 up to 7% more memory (docs/memory.md).
constexpr double pieces_for_memory = 8;
/// A card does the work of this many cores, on subtrees: pieces must be that much smaller to share them.
constexpr double cores_per_gpu = 60;
/// Below this a task is not worth dividing: under a millisecond on one core.
constexpr double smallest_split_flops = 2e7;
/// What one more task costs, in flops that its worker could have done instead, and the least number
/// of tasks that a front on tiles becomes.
constexpr double task_flops = 5e5;
constexpr double tasks_per_front = 4;
/// A front of this order or more can itself occupy several workers.
constexpr index_t smallest_parallel_front = 384;
/// 256 MiB of 8-byte scalars: the largest chunk of factors that one task writes.
constexpr count_t largest_chunk_scalars = count_t{1} << 25;

/// Sums over subtrees by differences of prefix sums, since subtrees are contiguous.
class SubtreeSums {
public:
    SubtreeSums(const AssemblyTree& tree, const CostModel& cost, Factorization kind)
        : tree_(tree), flops_(tree.fronts.size() + 1, 0.0), factors_(tree.fronts.size() + 1, 0) {
        for (std::size_t f = 0; f < tree.fronts.size(); ++f) {
            flops_[f + 1] = flops_[f] + cost.front_flops[f];
            factors_[f + 1] = factors_[f] + front_panels(tree.fronts[f], kind).size;
        }
    }

    double flops(index_t first, index_t root) const { return flops_[root + 1] - flops_[first]; }

    count_t factors(index_t first, index_t root) const { return factors_[root + 1] - factors_[first]; }

    double flops(index_t root) const { return flops(tree_.first_descendant[root], root); }

    count_t factors(index_t root) const { return factors(tree_.first_descendant[root], root); }

private:
    const AssemblyTree& tree_;
    std::vector<double> flops_;
    std::vector<count_t> factors_;
};

/// Takes fronts out of the subtrees, from the roots downwards.
class TopLayers {
public:
    TopLayers(const AssemblyTree& tree, const SubtreeSums& sums, double largest_piece_flops, index_t sharers)
        : tree_(tree),
          sums_(sums),
          largest_piece_flops_(largest_piece_flops),
          share_of_others_(1 - 1.0 / sharers),
          on_tiles_(tree.fronts.size(), 0) {
        for (index_t f = tree.front_count() - 1; f >= 0; --f) {
            const index_t parent = tree.fronts[f].parent;
            const bool exposed = !on_tiles_[f] && (parent < 0 || on_tiles_[parent]);
            if (exposed) cut_chain(f);
        }
    }

    bool on_tiles(index_t f) const { return on_tiles_[f]; }

private:
    index_t heaviest_child(index_t f) const;
    double heaviest_but(index_t f, index_t child) const;
    void cut_chain(index_t f);

    const AssemblyTree& tree_;
    const SubtreeSums& sums_;
    double largest_piece_flops_;
    double share_of_others_;  // of parallel work, what the first worker is spared
    std::vector<std::uint8_t> on_tiles_;
};

index_t TopLayers::heaviest_child(index_t f) const {
    index_t heaviest = -1;
    for (count_t c = tree_.child_begin[f]; c < tree_.child_begin[f + 1]; ++c) {
        const index_t child = tree_.children[c];
        if (heaviest < 0 || sums_.flops(child) > sums_.flops(heaviest)) heaviest = child;
    }
    return heaviest;
}

/// Flops of the children of f besides the one named: what can run at the same time.
double TopLayers::heaviest_but(index_t f, index_t child) const {
    if (child < 0) return 0;
    return sums_.flops(tree_.first_descendant[f], f) - sums_.flops(f, f) - sums_.flops(child);
}

/// A chain of small fronts above one heavy subtree has no parallelism of its own: taking it apart
/// pays only when a front that is large enough for tiles, or a second child with work, is found
/// further down, and is worth the tasks that the chain becomes. Then the chain goes onto tiles.
void TopLayers::cut_chain(index_t f) {
    double gain = 0, loss = 0;
    for (index_t g = f; g >= 0; g = heaviest_child(g)) {
        const bool too_large = sums_.factors(g) > largest_chunk_scalars;
        if (!too_large && sums_.flops(g) <= largest_piece_flops_) return;
        const double children = static_cast<double>(tree_.child_begin[g + 1] - tree_.child_begin[g]);
        loss += (tasks_per_front + children) * task_flops;
        if (tree_.fronts[g].nfront >= smallest_parallel_front) gain += sums_.flops(g, g);
        gain += heaviest_but(g, heaviest_child(g));
        if (!too_large && share_of_others_ * gain <= loss) continue;
        for (index_t h = g; h != f; h = tree_.fronts[h].parent) on_tiles_[h] = 1;
        on_tiles_[f] = 1;
        return;
    }
}

}  // namespace

// A block is put on top of its children's, which then go.
count_t stack_peak(const AssemblyTree& tree, index_t first, index_t root) {
    count_t stack = 0, peak = 0;
    for (index_t f = first; f <= root; ++f) {
        const count_t ncb = tree.fronts[f].ncb();
        stack += ncb * ncb;
        peak = std::max(peak, stack);
        for (count_t c = tree.child_begin[f]; c < tree.child_begin[f + 1]; ++c) {
            const count_t child_ncb = tree.fronts[tree.children[c]].ncb();
            stack -= child_ncb * child_ncb;
        }
    }
    return peak;
}

// Whole trees that follow each other are bundled while they stay small: a matrix that falls into
// thousands of blocks becomes a few tasks.
std::vector<Subtree> choose_subtrees(const AssemblyTree& tree, const CostModel& cost, Factorization kind,
                                     index_t workers, index_t gpus, const TreeCut& cut) {
    const SubtreeSums sums(tree, cost, kind);
    // In a subtree a symmetric front keeps both triangles, on tiles one.
    const bool for_memory = workers == 1 && gpus == 0 && kind != Factorization::lu;
    // A subtree is looked into while it has more than its share of all operations.
    const double pieces = for_memory ? pieces_for_memory : cut.subtrees_per_worker * (workers + cores_per_gpu * gpus);
    const double piece_flops = std::max(cost.flops / pieces, smallest_split_flops);
    const TopLayers top(tree, sums, piece_flops, for_memory ? 2 : workers);
    std::vector<Subtree> subtrees;
    bool bundle_open = false;  // the last subtree consists of whole trees
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t parent = tree.fronts[f].parent;
        if (top.on_tiles(f)) bundle_open = false;
        if (top.on_tiles(f) || (parent >= 0 && !top.on_tiles(parent))) continue;
        const index_t first = tree.first_descendant[f];
        const bool joins = bundle_open && parent < 0 && subtrees.back().root_front + 1 == first &&
                           sums.flops(subtrees.back().first_front, f) <= piece_flops &&
                           sums.factors(subtrees.back().first_front, f) <= largest_chunk_scalars;
        if (joins) {
            subtrees.back().root_front = f;
        } else {
            subtrees.push_back({first, f, 0, 0, 0});
        }
        bundle_open = parent < 0;
    }
    for (Subtree& subtree : subtrees) {
        subtree.flops = sums.flops(subtree.first_front, subtree.root_front);
        subtree.factor_scalars = sums.factors(subtree.first_front, subtree.root_front);
        subtree.stack_scalars = stack_peak(tree, subtree.first_front, subtree.root_front);
    }
    return subtrees;
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "frond/cpu/pivot_report.hpp"
#include "kernels/dense/eliminate.hpp"

namespace frond::gpu {

/// Where the columns of a front may be cut.
struct StepCuts {
    /// A cut before that column would separate the columns of a 2 x 2 pivot that the matching found.
    std::function<bool(index_t front, index_t column)> splits_pair;
    /// The piece of the pivots [begin, end) with that column, inside which pivots are put in order; empty: all.
    std::function<std::pair<index_t, index_t>(index_t front, index_t column)> piece;
    /// Pivots of the front are searched for in all rows of their piece (L U), so that each of its steps changes all that is
    /// behind it; empty: in those of their diagonal block, in every front.
    std::function<bool(index_t front)> searches;
};

/// Rows and columns from `last` on of a front, less the product of its columns and rows [first, last). The steps of
/// the next block of columns read and change nothing of the product's target but columns, and L U: rows, before `next`.
struct BlockProduct {
    index_t front = 0, first = 0, last = 0, next = 0;
};

/// The steps in which fronts are eliminated together: step k of all of them, then step k + 1.
class StepPlan {
public:
    /// least_rest: fronts with so many rows behind a block have a BlockProduct there in place of blocks of threads, but where
    /// they are searched.
    explicit StepPlan(index_t least_rest = std::numeric_limits<index_t>::max()) : least_rest_(least_rest) {}

    /// Adds those of fronts [first, last): of their columns in memory, from the first on.
    template <class T>
    void add(Factorization kind, const std::vector<DenseFront<T>>& fronts, index_t first, index_t last,
             const StepCuts& cuts) {
        std::vector<Walk> active(static_cast<std::size_t>(last - first));
        for (index_t f = first; f < last; ++f)
            active[static_cast<std::size_t>(f - first)].begin(f, fronts[static_cast<std::size_t>(f)].first,
                                                              cuts.searches && cuts.searches(f));
        while (!active.empty()) {
            StepLaunch launch;
            launch.first = static_cast<index_t>(steps.size());
            launch.count = static_cast<index_t>(active.size());
            launch.first_product = static_cast<index_t>(products.size());
            for (Walk& walk : active) {
                const DenseFront<T>& front = fronts[static_cast<std::size_t>(walk.step.front)];
                walk.advance(front.npiv, front.columns(), cuts);
                if (walk.step.search_end > walk.step.end())
                    launch.searched_rows = std::max(launch.searched_rows, walk.step.search_end - walk.step.column);
                add_blocks<T>(kind, front, walk, launch, cuts);
            }
            launch.last_product = static_cast<index_t>(products.size());
            launches.push_back(launch);
            std::erase_if(active, [&](const Walk& walk) {
                return walk.step.end() == fronts[static_cast<std::size_t>(walk.step.front)].npiv;
            });
        }
    }

    std::vector<FrontStep> steps;
    std::vector<StepLaunch> launches;
    std::vector<BlockProduct> products;

private:
    struct Block {
        index_t first = 0, last = 0;

        /// The next one from `column` on, at most `columns` wide, inside [.., end). It ends at an even column where it
        /// can: products are quicker where columns lie at multiples of 16 bytes.
        void begin(index_t column, index_t columns, index_t end, const StepCuts& cuts, index_t front) {
            first = column;
            last = std::min((column + columns) / 2 * 2, end);
            if (last < end && cuts.splits_pair(front, last)) --last;
        }
    };

    /// A front on its way through its steps.
    struct Walk {
        FrontStep step;
        Block inner, outer;
        index_t piece_end = 0;
        bool searches = false;

        void begin(index_t front, index_t column, bool is_searched) {
            searches = is_searched;
            step.front = front;
            step.column = inner.last = outer.last = piece_end = column;
        }

        /// Pieces end steps, but not blocks: what is behind a block does not depend on the order inside pieces.
        void advance(index_t npiv, index_t columns, const StepCuts& cuts) {
            step.column = step.end();
            if (step.column == piece_end)
                std::tie(step.left, piece_end) =
                    cuts.piece ? cuts.piece(step.front, step.column) : std::pair{index_t(0), npiv};
            if (step.column == outer.last) outer.begin(step.column, outer_block_columns, npiv, cuts, step.front);
            if (step.column == inner.last) inner.begin(step.column, block_columns, outer.last, cuts, step.front);
            Block own;
            own.begin(step.column, step_columns, std::min(inner.last, piece_end), cuts, step.front);
            step.width = own.last - own.first;
            const bool ends_inner = own.last == inner.last, ends_outer = own.last == outer.last;
            step.first_factor = ends_outer ? outer.first : ends_inner ? inner.first : own.first;
            step.last_target = ends_outer ? columns : ends_inner ? outer.last : inner.last;
            if (searches) search_front(own, columns);
        }

        void search_front(const Block& own, index_t columns) {
            step.search_end = piece_end;
            step.first_factor = own.first;
            step.last_target = columns;
        }

        /// The end of the block of columns behind the outer one.
        index_t next_end(index_t npiv, const StepCuts& cuts) const {
            Block next = outer;
            if (outer.last < npiv) next.begin(outer.last, outer_block_columns, npiv, cuts, step.front);
            return next.last;
        }
    };

    template <class T>
    void add_blocks(Factorization kind, const DenseFront<T>& front, Walk& walk, StepLaunch& launch,
                    const StepCuts& cuts) {
        FrontStep& step = walk.step;
        const index_t order = front.order, columns = front.columns();
        step.first_solve = launch.solve_blocks;
        step.first_update = launch.update_blocks;
        steps.push_back(step);
        launch.solve_blocks += solve_blocks(kind, order, columns, step);
        const bool ends_outer = !walk.searches && step.last_target == columns;
        if (ends_outer && step.end() < columns && order - step.end() >= least_rest_)
            products.push_back({step.front, step.first_factor, step.end(), walk.next_end(front.npiv, cuts)});
        else
            launch.update_blocks += update_blocks<T>(kind, order, columns, step);
    }

    index_t least_rest_;
};

/// The rule of elimination on a device: what is not plainly a good pivot is left to the host. Half as much
/// again as the host's limits, since sizes are |re| + |im| here; never so small that products of two pivots
/// underflow. Static pivoting has a bound of |l_ij|, too: a core would have searched more rows.
/// rule_of_one: that of a matrix whose largest entry is 1; all its sizes are proportional to that entry.
template <class T>
RelativeRule relative_rule(Factorization kind, const PivotRule& rule_of_one, bool threshold) {
    constexpr double static_bound = 100, margin = 1.5;
    const double floor = 8 * std::sqrt(static_cast<double>(std::numeric_limits<real_t<T>>::min()));
    // L L^T may be factored as it is given, with a diagonal of any size.
    const double limit = kind == Factorization::llt ? 0.0
                         : threshold                ? rule_of_one.zero_pivot
                                                    : std::max(rule_of_one.smallest_pivot, rule_of_one.zero_pivot);
    RelativeRule r;
    r.kind = kind;
    r.per_largest = margin * limit;
    r.least = margin * floor;
    r.bound = kind == Factorization::llt ? std::numeric_limits<double>::infinity()
              : threshold                ? 1 / rule_of_one.threshold
                                         : static_bound;
    return r;
}

/// The rule of elimination for a pivot rule whose numbers are those of the matrix.
template <class T>
EliminateRule eliminate_rule(Factorization kind, const PivotRule& rule, bool threshold) {
    const RelativeRule r = relative_rule<T>(kind, rule, threshold);
    return {kind, std::max(r.per_largest, r.least), r.bound};
}

}  // namespace frond::gpu

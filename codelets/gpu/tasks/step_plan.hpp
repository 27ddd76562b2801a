// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "frond/cpu/pivot_report.hpp"
#include "kernels/eliminate.hpp"

namespace frond::gpu {

/// The steps in which fronts are eliminated together: step k of all of them, then step k + 1.
class StepPlan {
public:
    /// Adds those of fronts [first, last). splits_pair(f, c): a cut before column c of front f would
    /// separate the columns of a 2 x 2 pivot that the matching found.
    template <class T, class SplitsPair>
    void add(Factorization kind, const std::vector<SquareFront<T>>& fronts, index_t first, index_t last,
             SplitsPair splits_pair) {
        std::vector<index_t> active, column(static_cast<std::size_t>(last - first), 0);
        for (index_t f = first; f < last; ++f) active.push_back(f);
        while (!active.empty()) {
            StepLaunch launch;
            launch.first = static_cast<index_t>(steps.size());
            launch.count = static_cast<index_t>(active.size());
            for (const index_t f : active) {
                const SquareFront<T>& front = fronts[static_cast<std::size_t>(f)];
                index_t& at = column[static_cast<std::size_t>(f - first)];
                index_t width = std::min(step_columns, front.npiv - at);
                if (at + width < front.npiv && splits_pair(f, at + width)) --width;
                steps.push_back({f, at, width, launch.solve_blocks, launch.update_blocks});
                at += width;
                launch.solve_blocks += solve_blocks(kind, front.order - at);
                launch.update_blocks += update_blocks<T>(kind, front.order - at);
            }
            launches.push_back(launch);
            std::erase_if(active, [&](index_t f) {
                return column[static_cast<std::size_t>(f - first)] == fronts[static_cast<std::size_t>(f)].npiv;
            });
        }
    }

    std::vector<FrontStep> steps;
    std::vector<StepLaunch> launches;
};

/// The rule of elimination on a device: what is not plainly a good pivot is left to the host. Half as much
/// again as the host's limits, since sizes are |re| + |im| here; never so small that products of two pivots
/// underflow. Static pivoting has a bound of |l_ij|, too: a core would have searched more rows.
template <class T>
EliminateRule eliminate_rule(Factorization kind, const PivotRule& rule, bool threshold) {
    constexpr double static_bound = 100;
    const double floor = 8 * std::sqrt(static_cast<double>(std::numeric_limits<real_t<T>>::min()));
    const double limit = threshold ? rule.zero_pivot : std::max(rule.smallest_pivot, rule.zero_pivot);
    EliminateRule r;
    r.kind = kind;
    r.smallest_pivot = 1.5 * std::max(limit, floor);
    r.bound = kind == Factorization::llt ? std::numeric_limits<double>::infinity()
              : threshold                ? 1 / rule.threshold
                                         : static_bound;
    return r;
}

}  // namespace frond::gpu

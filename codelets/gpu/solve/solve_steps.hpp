// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"

namespace frond::gpu {

/// Columns first .. first + width of a front, solved with at once by the inverse of their diagonal block:
/// lower triangle (and upper one of L U) at these scalars of the inverses, leading dimension = width.
struct SolveStep {
    index_t first = 0, width = 0;
    count_t lower = 0, upper = -1;
};

/// Steps of all fronts: an own tile each, inverse_block columns in subtrees.
struct SolveSteps {
    std::vector<count_t> begin;  // [fronts + 1] in steps
    std::vector<SolveStep> steps;
    count_t scalars = 0;  // of all inverses

    count_t count(index_t f) const {
        return begin[static_cast<std::size_t>(f) + 1] - begin[static_cast<std::size_t>(f)];
    }
    const SolveStep& step(index_t f, count_t s) const {
        return steps[static_cast<std::size_t>(begin[static_cast<std::size_t>(f)] + s)];
    }
};

SolveSteps solve_steps(const Analysis& analysis);

}  // namespace frond::gpu

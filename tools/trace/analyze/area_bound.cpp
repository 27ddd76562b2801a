// SPDX-License-Identifier: BSD-3-Clause
#include "trace/analyze/bounds.hpp"

#include <algorithm>
#include <cmath>

namespace frond::cli {
namespace {

/// sum_i amount_i min_g price_g cost_ig
double value_of_prices(const AreaProblem& problem, const std::vector<double>& price) {
    double value = 0;
    for (std::size_t i = 0; i < problem.amount.size(); ++i) {
        double least = -1;
        for (std::size_t g = 0; g < price.size(); ++g) {
            if (!std::isfinite(problem.cost[i][g])) continue;
            const double here = price[g] * problem.cost[i][g];
            if (least < 0 || here < least) least = here;
        }
        if (least > 0) value += problem.amount[i] * least;
    }
    return value;
}

/// The best value where the prices before `g` are set and workers g, g + 1, ... share what is left of 1. The value is
/// concave in each price: ternary search.
double best_prices(const AreaProblem& problem, std::vector<double>& price, std::size_t g, double left) {
    if (g + 1 == price.size()) {
        price[g] = left / problem.workers[g];
        return value_of_prices(problem, price);
    }
    const int steps = price.size() <= 3 ? 90 : 36;
    const auto value_at = [&](double share) {
        price[g] = share / problem.workers[g];
        return best_prices(problem, price, g + 1, left - share);
    };
    double low = 0, high = left, best = std::max(value_at(0), value_at(left));
    for (int step = 0; step < steps; ++step) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        const double at_a = value_at(a), at_b = value_at(b);
        best = std::max({best, at_a, at_b});
        (at_a < at_b ? low : high) = at_a < at_b ? a : b;
    }
    return best;
}

}  // namespace

double area_bound(const AreaProblem& problem) {
    if (problem.workers.empty()) return 0;
    std::vector<double> price(problem.workers.size(), 0.0);
    return best_prices(problem, price, 0, 1.0);
}

}  // namespace frond::cli

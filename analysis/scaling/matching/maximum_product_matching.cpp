// SPDX-License-Identifier: BSD-3-Clause
// Duff & Koster 2001, "On algorithms for permuting large entries to the diagonal of a sparse
// matrix", SIAM J. Matrix Anal. Appl. 22: the product of the matched entries is largest.
#include "augmenting_paths.hpp"
#include "dual_matching.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

/// Searches one by one are hard to beat where they stay short. Where they do not, prices found by
/// bidding (which gives up pairs that are not quite optimal, so only with many columns free) and
/// steps from all free columns at once come first; the searches finish in either case.
void complete_matching(DualMatching& m) {
    constexpr double patience = 8, unlimited = std::numeric_limits<double>::infinity();
    const count_t budget = m.a.entries() + 1;
    if (AugmentingPaths(m).run(budget, patience)) return;
    if (m.free_count > m.a.cols / 100) {
        bid_for_rows(m);
        augment_along_tight_entries(m);
    }
    while (m.free_count > 20) {
        const index_t before = m.free_count;
        if (raise_duals_from_all_free_columns(m) < before / 20) break;
    }
    AugmentingPaths(m).run(budget, unlimited);
}

/// u + t and v - t scale alike. With equal means, rows and columns share the range of exponents.
void balance_duals(DualMatching& m) {
    double difference = 0;
    for (const auto& row : m.rows) difference -= row.dual;
    for (double v : m.column_dual) difference += v;
    const double shift = std::round(difference / (2 * static_cast<double>(m.rows.size())));
    for (auto& row : m.rows) row.dual += shift;
    for (double& v : m.column_dual) v -= shift;
}

/// 2^x, kept finite and normal: matrices exist whose duals are not.
double bounded_exp2(double x) {
    constexpr double limit = 1000;
    return std::exp2(std::clamp(x, -limit, limit));
}

Matching to_matching(DualMatching& m) {
    Matching result;
    const auto n = static_cast<std::size_t>(m.a.cols);
    result.row_of_column.assign(n, -1);
    result.row_scale.resize(n);
    result.column_scale.resize(n);
    for (index_t j = 0; j < m.a.cols; ++j) {
        result.column_scale[j] = bounded_exp2(m.dual_of_column(j));
        result.row_scale[j] = bounded_exp2(m.row(j).dual);
        if (m.matched(j) < 0) continue;
        result.row_of_column[j] = m.row_of(m.matched(j));
        ++result.structural_rank;
    }
    return result;
}

}  // namespace

Matching maximum_product_matching(const Pattern& a, const std::vector<double>& magnitude) {
    FROND_EXPECTS(a.rows == a.cols, "a matching needs a square matrix; this one is " + std::to_string(a.rows) + " x " +
                                        std::to_string(a.cols));
    FROND_EXPECTS(static_cast<count_t>(magnitude.size()) == a.entries(),
                  "one magnitude an entry: " + std::to_string(magnitude.size()) + " for " +
                      std::to_string(a.entries()) + " entries");
    if (a.cols == 0) return {};
    DualMatching m(a, magnitude);
    start_matching(m);
    augment_along_tight_entries(m);
    complete_matching(m);
    if (m.block_end.empty())
        balance_duals(m);
    else
        make_buried_blocks_feasible(m);
    return to_matching(m);
}

}  // namespace frond

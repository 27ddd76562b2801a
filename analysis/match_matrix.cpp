// SPDX-License-Identifier: BSD-3-Clause
#include "analyze_parts.hpp"
#include "frond/base/instantiate.hpp"
#include "scaling/magnitudes.hpp"

#include <utility>

namespace frond {

namespace {

template <class T>
bool wants_matching(const SparseMatrix<T>& a, const AnalysisOptions& options, const Analysis& analysis) {
    if (analysis.factorization == Factorization::llt || a.cols() == 0) return false;
    if (options.matching == MatchingMode::off) return false;
    if (options.matching == MatchingMode::on || options.scaling == ScalingMethod::matching) {
        return true;
    }
    return matching_pays(a, analysis.factorization);
}

/// column_of_row of a matching; rows and columns left over are put together in ascending order.
std::vector<index_t> complete_inverse(const std::vector<index_t>& row_of_column) {
    const index_t n = static_cast<index_t>(row_of_column.size());
    std::vector<index_t> column_of_row(row_of_column.size(), -1);
    for (index_t j = 0; j < n; ++j) {
        if (row_of_column[j] >= 0) column_of_row[row_of_column[j]] = j;
    }
    index_t free_row = 0;
    for (index_t j = 0; j < n; ++j) {
        if (row_of_column[j] >= 0) continue;
        while (column_of_row[free_row] >= 0) ++free_row;
        column_of_row[free_row] = j;
    }
    return column_of_row;
}

Scaling scaling_of(const Matching& matching) {
    Scaling scaling;
    scaling.method = ScalingMethod::matching;
    scaling.row = matching.row_scale;
    scaling.column = matching.column_scale;
    round_to_powers_of_two(scaling.row);
    round_to_powers_of_two(scaling.column);
    return scaling;
}

bool is_pair(const std::vector<index_t>& partner, index_t v) { return partner[v] > v; }

}  // namespace

template <class T>
MatchedMatrix match_matrix(const SparseMatrix<T>& a, const AnalysisOptions& options, Analysis& analysis) {
    const Stopwatch watch;
    MatchedMatrix matched;
    AnalysisReport& report = analysis.report;
    report.structural_rank = analysis.order;
    report.matched = wants_matching(a, options, analysis);
    if (report.matched) {
        MagnitudeMatrix full = full_magnitudes(a);
        const bool symmetric = analysis.factorization != Factorization::lu;
        Matching matching = symmetric ? symmetric_maximum_product_matching(full.pattern, full.magnitude)
                                      : maximum_product_matching(full.pattern, full.magnitude);
        report.structural_rank = matching.structural_rank;
        if (symmetric) {
            matched.partner = symmetric_pairs(full.pattern, full.magnitude, matching);
            for (index_t v = 0; v < analysis.order; ++v) report.pairs += is_pair(matched.partner, v);
        } else {
            matched.column_of_row = complete_inverse(matching.row_of_column);
            if (a.symmetry != Symmetry::general) matched.full_pattern = std::move(full.pattern);
        }
        const bool wide = spans_too_much(matching.row_scale) || spans_too_much(matching.column_scale);
        if (options.scaling == ScalingMethod::matching || (options.scaling == ScalingMethod::automatic && !wide)) {
            matched.scaling = scaling_of(matching);
        }
        analysis.matching_row_of_column = std::move(matching.row_of_column);
    }
    report.matching_seconds = watch.seconds();
    return matched;
}

#define FROND_INSTANTIATE(T) \
    template MatchedMatrix match_matrix<T>(const SparseMatrix<T>&, const AnalysisOptions&, Analysis&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond

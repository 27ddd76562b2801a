// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/kept_scaling.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/equilibration.hpp"
#include "magnitudes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

namespace frond {

Scaling equilibrate(const Pattern& a, const std::vector<double>& magnitude, bool symmetric) {
    FROND_EXPECTS(static_cast<count_t>(magnitude.size()) == a.entries(),
                  "one magnitude an entry: " + std::to_string(magnitude.size()) + " for " +
                      std::to_string(a.entries()) + " entries");
    Equilibration work(a.rows, a.cols, symmetric);
    work.run([&](LineNorm norm, const auto& r, const auto& c, RowsAndColumns& norms) {
        for (index_t j = 0; j < a.cols; ++j) {
            double of_column = 0;
            for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) {
                const index_t i = a.row[e];
                const double scaled = magnitude[e] * r[i] * c[j];
                of_column = joined(norm, of_column, scaled);
                if (!symmetric) norms.row[i] = joined(norm, norms.row[i], scaled);
            }
            norms.column[j] = of_column;
        }
    });
    RowsAndColumns scales = work.take();
    return {ScalingMethod::equilibrate, std::move(scales.row), std::move(scales.column)};
}

namespace {

bool stores_one_triangle(Symmetry symmetry) {
    return symmetry == Symmetry::symmetric || symmetry == Symmetry::hermitian;
}

/// Largest entries of all rows are alike, and of all columns, and in the range.
bool is_well_scaled(const Pattern& a, const std::vector<double>& magnitude, double range) {
    std::vector<double> row_most(static_cast<std::size_t>(a.rows), 0.0), column_most(row_most);
    for (index_t j = 0; j < a.cols; ++j)
        for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) {
            row_most[a.row[e]] = std::max(row_most[a.row[e]], magnitude[e]);
            column_most[j] = std::max(column_most[j], magnitude[e]);
        }
    return are_norms_alike(row_most, range) && are_norms_alike(column_most, range);
}

ScalingMethod method_for(const Pattern& a, const std::vector<double>& magnitude, double range,
                         const Analysis& analysis) {
    const ScalingMethod asked = analysis.options.scaling;
    if (asked != ScalingMethod::automatic) return asked;
    if (analysis.report.matched) return ScalingMethod::matching;
    if (analysis.factorization == Factorization::llt)
        return ScalingMethod::equilibrate;  // its numbers are out of range
    return is_well_scaled(a, magnitude, range) ? ScalingMethod::none : ScalingMethod::equilibrate;
}

/// The kept matching against the optimal one, whose scaling makes its own entries 1 and all others
/// less: so log2 of a kept entry, scaled, is what it loses. Stale: the geometric mean of the kept
/// entries is below 1/2, or one of them is below sqrt(eps) = 2^-26, a pivot that may be perturbed; or it
/// covers fewer columns than the optimal one.
bool is_stale(const Pattern& a, const std::vector<double>& magnitude, const Scaling& scaling, index_t structural_rank,
              const std::vector<index_t>& row_of_column) {
    constexpr double worst_allowed = -26, mean_allowed = -1;
    double sum = 0, worst = 0;
    index_t kept = 0;
    for (index_t j = 0; j < a.cols; ++j) {
        const index_t i = row_of_column[j];
        if (i < 0) continue;
        const count_t e = find_entry(a, i, j);
        if (e < 0 || magnitude[e] == 0) return true;
        const double loss = std::log2(scaling.row[i]) + std::log2(magnitude[e]) + std::log2(scaling.column[j]);
        sum += loss;
        worst = std::min(worst, loss);
        ++kept;
    }
    return kept < structural_rank || worst < worst_allowed || sum < mean_allowed * static_cast<double>(kept);
}

Scaling scaling_by_matching(const Pattern& a, const std::vector<double>& magnitude, bool symmetric,
                            const Analysis& analysis, bool* stale) {
    Matching matching =
        symmetric ? symmetric_maximum_product_matching(a, magnitude) : maximum_product_matching(a, magnitude);
    Scaling scaling{ScalingMethod::matching, std::move(matching.row_scale), std::move(matching.column_scale)};
    if (stale != nullptr && !analysis.matching_row_of_column.empty())
        *stale = is_stale(a, magnitude, scaling, matching.structural_rank, analysis.matching_row_of_column);
    return scaling;
}

/// a: both triangles.
Scaling scaling_of(const Pattern& a, const std::vector<double>& magnitude, bool symmetric, double range,
                   const Analysis& analysis, bool* stale) {
    Scaling scaling;
    switch (method_for(a, magnitude, range, analysis)) {
        case ScalingMethod::matching:
            scaling = scaling_by_matching(a, magnitude, symmetric, analysis, stale);
            if (analysis.options.scaling == ScalingMethod::automatic &&
                (spans_too_much(scaling.row) || spans_too_much(scaling.column)))
                scaling = equilibrate(a, magnitude, symmetric);
            break;
        case ScalingMethod::equilibrate:
            scaling = equilibrate(a, magnitude, symmetric);
            break;
        default:
            break;
    }
    round_to_powers_of_two(scaling.row);
    round_to_powers_of_two(scaling.column);
    return scaling;
}

}  // namespace

bool are_norms_alike(std::span<const double> norms, double range) {
    constexpr double limit = 16;
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const double norm : norms) {
        if (norm == 0) continue;
        least = std::min(least, norm);
        most = std::max(most, norm);
    }
    return most <= limit * least && most <= range && (most == 0 || most >= 1 / range);
}

template <class T>
Scaling compute_scaling(const SparseMatrix<T>& a, const Analysis& analysis, bool* stale) try {
    FROND_EXPECTS(a.cols() == analysis.order && a.entries() == analysis.entries,
                  "the matrix has order " + std::to_string(a.cols()) + " and " + std::to_string(a.entries()) +
                      " entries, the one analysed " + std::to_string(analysis.order) + " and " +
                      std::to_string(analysis.entries) + ": analyze it first");
    if (stale != nullptr) *stale = false;
    if (a.cols() == 0 || analysis.options.scaling == ScalingMethod::none) return {};
    if (needs_no_scaling(a, analysis, false)) return {};
    const bool symmetric = analysis.factorization != Factorization::lu;
    std::vector<double> magnitude = magnitudes_of(a.value);
    if (!stores_one_triangle(a.symmetry))
        return scaling_of(a.pattern, magnitude, symmetric, safe_range<T>, analysis, stale);
    const MagnitudeMatrix full = both_triangles(a.pattern, magnitude);
    return scaling_of(full.pattern, full.magnitude, symmetric, safe_range<T>, analysis, stale);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T) template Scaling compute_scaling<T>(const SparseMatrix<T>&, const Analysis&, bool*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond

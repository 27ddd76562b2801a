// SPDX-License-Identifier: BSD-3-Clause
// What of a matrix no matching covers, for the values at hand: those analysed may have had other
// zeros.
#include "frond/analysis/steps.hpp"
#include "frond/base/instantiate.hpp"
#include "magnitudes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace frond {
namespace {

std::vector<double> diagonal_of(const Pattern& a, const std::vector<double>& magnitude) {
    std::vector<double> diagonal(static_cast<std::size_t>(a.cols), 0.0);
    for (index_t j = 0; j < a.cols; ++j) {
        const count_t e = find_entry(a, j, j);
        if (e >= 0) diagonal[j] = magnitude[e];
    }
    return diagonal;
}

/// LDL^T. Row i is weak when |a_ij| > 10 sqrt(|a_ii| |a_jj|) for some j: with a unit diagonal the
/// entry would be above 10, so a_ii fails the threshold test of Duff & Reid 1983 with u = 0.1. The
/// measure does not change with symmetric scaling, and definite matrices have no such entry.
bool has_weak_symmetric_diagonal(const Pattern& a, const std::vector<double>& magnitude) {
    constexpr double limit = 10;
    std::vector<double> root = diagonal_of(a, magnitude);
    for (double& d : root) d = std::sqrt(d);
    for (index_t j = 0; j < a.cols; ++j)
        for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e)
            if (a.row[e] != j && magnitude[e] > limit * root[j] * root[a.row[e]]) return true;
    return false;
}

/// LU. Diagonal entry j is weak when it is below 0.1 of the largest entry of its column and of its
/// row: no scaling of rows alone or of columns alone makes it a pivot. Some weak ones are left to
/// pivoting; a zero is not.
bool has_weak_diagonal(const Pattern& a, const std::vector<double>& magnitude, bool one_triangle) {
    constexpr double limit = 0.1, tolerated_share = 0.01;
    const auto n = static_cast<std::size_t>(a.cols);
    const std::vector<double> diagonal = diagonal_of(a, magnitude);
    std::vector<double> row_most(n, 0.0), column_most(n, 0.0);
    for (index_t j = 0; j < a.cols; ++j)
        for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) {
            const index_t i = a.row[e];
            row_most[i] = std::max(row_most[i], magnitude[e]);
            column_most[j] = std::max(column_most[j], magnitude[e]);
        }
    std::size_t weak = 0;
    for (std::size_t j = 0; j < n; ++j) {
        if (diagonal[j] == 0) return true;
        const double most =
            one_triangle ? std::max(row_most[j], column_most[j]) : std::min(row_most[j], column_most[j]);
        if (diagonal[j] < limit * most) ++weak;
    }
    return static_cast<double>(weak) > tolerated_share * static_cast<double>(n);
}

}  // namespace

bool matching_pays(const Pattern& a, const std::vector<double>& magnitude, Symmetry symmetry, Factorization kind) {
    if (kind == Factorization::llt || a.cols == 0) return false;
    const bool one_triangle = symmetry == Symmetry::symmetric || symmetry == Symmetry::hermitian;
    const bool symmetric_kind = kind == Factorization::ldlt || kind == Factorization::ldlh;
    if (symmetric_kind || (kind == Factorization::automatic && one_triangle))
        return has_weak_symmetric_diagonal(a, magnitude);
    return has_weak_diagonal(a, magnitude, one_triangle);
}

template <class T>
bool matching_pays(const SparseMatrix<T>& a, Factorization kind) {
    return matching_pays(a.pattern, magnitudes_of(a.value), a.symmetry, kind);
}

namespace {

/// True: every matched entry is stored and not 0.
template <class T>
bool has_its_values(const SparseMatrix<T>& a, const std::vector<index_t>& row_of_column) {
    for (index_t j = 0; j < a.cols(); ++j) {
        if (row_of_column[j] < 0) continue;
        std::pair<index_t, index_t> place{row_of_column[j], j};
        if (a.symmetry != Symmetry::general && place.first < j) std::swap(place.first, place.second);
        const count_t e = find_entry(a.pattern, place.first, place.second);
        if (e < 0 || a.value[e] == T(0)) return false;
    }
    return true;
}

/// No free row can be reached from a free column: there is no larger matching (Berge 1957).
bool is_largest(const MagnitudeMatrix& a, const std::vector<index_t>& row_of_column) {
    std::vector<index_t> column_of_row(row_of_column.size(), -1), columns;
    for (index_t j = 0; j < a.pattern.cols; ++j)
        if (row_of_column[j] >= 0)
            column_of_row[row_of_column[j]] = j;
        else
            columns.push_back(j);
    std::vector<bool> reached(row_of_column.size(), false);
    while (!columns.empty()) {
        const index_t j = columns.back();
        columns.pop_back();
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e) {
            const index_t i = a.pattern.row[e];
            if (a.magnitude[e] == 0 || reached[i]) continue;
            reached[i] = true;
            if (column_of_row[i] < 0) return false;
            columns.push_back(column_of_row[i]);
        }
    }
    return true;
}

UnmatchedPart left_out(const std::vector<index_t>& row_of_column) {
    UnmatchedPart part;
    std::vector<bool> taken(row_of_column.size(), false);
    for (std::size_t j = 0; j < row_of_column.size(); ++j)
        if (row_of_column[j] >= 0)
            taken[row_of_column[j]] = true;
        else
            part.columns.push_back(static_cast<index_t>(j));
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (!taken[i]) part.rows.push_back(static_cast<index_t>(i));
    return part;
}

}  // namespace

template <class T>
UnmatchedPart unmatched_part(const SparseMatrix<T>& a, const Analysis& analysis) {
    const std::vector<index_t>& known = analysis.matching_row_of_column;
    if (known.empty()) return {};
    const bool kept = has_its_values(a, known);
    if (kept && std::find(known.begin(), known.end(), -1) == known.end()) return {};
    const MagnitudeMatrix full = full_magnitudes(a);
    if (kept && is_largest(full, known)) return left_out(known);
    const Matching matching = analysis.factorization != Factorization::lu
                                  ? symmetric_maximum_product_matching(full.pattern, full.magnitude)
                                  : maximum_product_matching(full.pattern, full.magnitude);
    return left_out(matching.row_of_column);
}

#define FROND_INSTANTIATE(T)                                               \
    template bool matching_pays<T>(const SparseMatrix<T>&, Factorization); \
    template UnmatchedPart unmatched_part<T>(const SparseMatrix<T>&, const Analysis&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// What of a matrix no matching covers, for the values at hand: those analysed may have had other
// zeros.
#include "frond/analysis/steps.hpp"
#include "frond/base/instantiate.hpp"
#include "magnitudes.hpp"

#include <algorithm>
#include <utility>

namespace frond {
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

#define FROND_INSTANTIATE(T) template UnmatchedPart unmatched_part<T>(const SparseMatrix<T>&, const Analysis&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// Null pivots by their rows and columns in A. Positions (cpu/second_pass.hpp) are those after
// the first pass has exchanged rows (and, symmetric kinds, columns) inside its diagonal blocks.
#include <algorithm>
#include <numeric>

#include "factors/pivots.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

/// [k]: elimination position in the analysis of what the first pass left at position k.
template <class T>
std::vector<index_t> positions_in_analysis(const TreeFactors<T>& factors) {
    std::vector<index_t> in_analysis(at(factors.analysis->order));
    std::iota(in_analysis.begin(), in_analysis.end(), 0);
    for_each_pivot_block<T>(factors, [&](const PivotBlock<T>& b) {
        for (index_t k = 0; k < b.block.cols && b.perm != nullptr; ++k)
            in_analysis[at(b.first_column + k)] = b.first_column + b.perm[k];
    });
    return in_analysis;
}

/// Calls visit(position) for every null column.
template <class T, class Visit>
void for_each_null_column(const TreeFactors<T>& factors, Visit visit) {
    for_each_second_pass<T>(factors, [&](const cpu::SecondPass<T>& l) {
        for (index_t k = 0; k < l.null_columns; ++k) visit(l.column_position[at(l.kept + k)]);
    });
}

}  // namespace

template <class T>
std::vector<index_t> null_columns(const TreeFactors<T>& factors) {
    std::vector<index_t> columns;
    std::vector<index_t> in_analysis;
    if (is_symmetric(factors.kind())) in_analysis = positions_in_analysis(factors);
    for_each_null_column(factors, [&](index_t position) {
        columns.push_back(
            factors.analysis->column_order[at(in_analysis.empty() ? position : in_analysis[at(position)])]);
    });
    std::sort(columns.begin(), columns.end());
    return columns;
}

template <class T>
std::vector<index_t> null_rows(const TreeFactors<T>& factors) {
    if (is_symmetric(factors.kind())) return null_columns(factors);
    std::vector<index_t> in_analysis = positions_in_analysis(factors), rows, renamed;
    for_each_second_pass<T>(factors, [&](const cpu::SecondPass<T>& l) {
        for (index_t k = 0; k < l.null_rows; ++k)
            rows.push_back(factors.row_order()[at(in_analysis[at(l.row_position[at(l.kept + k)])])]);
        renamed.clear();
        for (const index_t position : l.row_position) renamed.push_back(in_analysis[at(position)]);
        for (std::size_t k = 0; k < renamed.size(); ++k) in_analysis[at(l.row_position_after[k])] = renamed[k];
    });
    std::sort(rows.begin(), rows.end());
    return rows;
}

#define FROND_INSTANTIATE(T)                                              \
    template std::vector<index_t> null_columns<T>(const TreeFactors<T>&); \
    template std::vector<index_t> null_rows<T>(const TreeFactors<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

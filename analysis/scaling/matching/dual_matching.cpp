// SPDX-License-Identifier: BSD-3-Clause
#include "dual_matching.hpp"

#include "negated_log2.hpp"

#include <algorithm>

namespace frond {

DualMatching::DualMatching(const Pattern& pattern, const std::vector<double>& magnitude)
    : a(pattern),
      cost(negated_log2(magnitude)),
      rows(static_cast<std::size_t>(pattern.rows)),
      column_dual(static_cast<std::size_t>(pattern.cols), 0.0),
      matched_entry(static_cast<std::size_t>(pattern.cols), free_column),
      free_count(pattern.cols) {}

bool DualMatching::tighten_column(index_t j) {
    double least = std::numeric_limits<double>::infinity();
    for (count_t e = begin(j); e < end(j); ++e) least = std::min(least, cost_of(e) - row_at(e).dual);
    if (least == std::numeric_limits<double>::infinity()) return false;
    dual_of_column(j) = least;
    return true;
}

std::vector<index_t> DualMatching::free_columns() const {
    std::vector<index_t> list;
    list.reserve(static_cast<std::size_t>(free_count));
    for (index_t j = 0; j < a.cols; ++j)
        if (matched_entry[j] == free_column) list.push_back(j);
    return list;
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// Chunks of columns with about equal entries. Each chunk adds into rows of its own copy, so there
// are as many chunks as the copies stay small against the matrix: few rows touched (a banded order),
// many chunks.
#include "frond/matrix/operations.hpp"

#include <algorithm>

namespace frond {
namespace {

constexpr count_t most_chunks = 64;
constexpr count_t least_entries_per_chunk = count_t{1} << 16;

ProductPlan equal_chunks(const Pattern& a, count_t chunks) {
    ProductPlan plan;
    plan.column_cut.push_back(0);
    for (count_t c = 1; c <= chunks; ++c) {
        const count_t target = a.entries() / chunks * c;
        const auto at = std::lower_bound(a.begin.begin(), a.begin.end(), target) - a.begin.begin();
        plan.column_cut.push_back(c == chunks ? a.cols : static_cast<index_t>(std::min<count_t>(at, a.cols)));
    }
    for (count_t c = 0; c < chunks; ++c) {
        index_t first = a.rows;
        index_t last = 0;
        for (index_t j = plan.column_cut[c]; j < plan.column_cut[c + 1]; ++j) {
            if (a.begin[j] == a.begin[j + 1]) continue;
            first = std::min(first, a.row[a.begin[j]]);
            last = std::max(last, a.row[a.begin[j + 1] - 1] + 1);
        }
        plan.row_first.push_back(std::min(first, last));
        plan.row_last.push_back(last);
    }
    return plan;
}

count_t copied_rows(const ProductPlan& plan) {
    count_t rows = 0;
    for (count_t c = 0; c < plan.chunks(); ++c) rows += plan.row_last[c] - plan.row_first[c];
    return rows;
}

/// Joins chunks 2c and 2c + 1.
ProductPlan halved(const ProductPlan& fine) {
    ProductPlan plan;
    plan.column_cut.push_back(0);
    for (count_t c = 0; c < fine.chunks(); c += 2) {
        const count_t d = std::min(c + 1, fine.chunks() - 1);
        const bool empty = fine.row_first[c] == fine.row_last[c];
        const bool next_empty = fine.row_first[d] == fine.row_last[d];
        plan.column_cut.push_back(fine.column_cut[d + 1]);
        plan.row_first.push_back(empty        ? fine.row_first[d]
                                 : next_empty ? fine.row_first[c]
                                              : std::min(fine.row_first[c], fine.row_first[d]));
        plan.row_last.push_back(std::max(fine.row_last[c], fine.row_last[d]));
    }
    return plan;
}

}  // namespace

ProductPlan plan_products(const Pattern& a) {
    const count_t chunks = std::clamp<count_t>(a.entries() / least_entries_per_chunk, 1, most_chunks);
    ProductPlan plan = equal_chunks(a, chunks);
    while (plan.chunks() > 1 && copied_rows(plan) > a.rows + a.entries() / 2) plan = halved(plan);
    return plan;
}

}  // namespace frond

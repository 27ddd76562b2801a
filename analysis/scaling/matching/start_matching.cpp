// SPDX-License-Identifier: BSD-3-Clause
#include "dual_matching.hpp"

#include <algorithm>

namespace frond {
namespace {

void set_column_minima(DualMatching& m) {
    for (index_t j = 0; j < m.a.cols; ++j) {
        double least = infinity;
        for (count_t e = m.begin(j); e < m.end(j); ++e) least = std::min(least, m.cost_of(e));
        m.dual_of_column(j) = least < infinity ? least : 0;
    }
}

/// u_i = min_j (c_ij - v_j), 0 for a row without entries; row.entry, row.from: where it is
/// attained.
void set_row_minima(DualMatching& m) {
    for (auto& row : m.rows) row.dual = infinity;
    for (index_t j = 0; j < m.a.cols; ++j) {
        const double v = m.dual_of_column(j);
        for (count_t e = m.begin(j); e < m.end(j); ++e) {
            const double slack = m.cost_of(e) - v;
            auto& row = m.row_at(e);
            if (slack >= row.dual) continue;
            row.dual = slack;
            row.entry = e;
            row.from = j;
        }
    }
    for (auto& row : m.rows)
        if (row.dual == infinity) row.dual = 0;
}

void match_rows_to_their_minima(DualMatching& m) {
    for (auto& row : m.rows) {
        if (row.entry < 0 || m.matched(row.from) >= 0) continue;
        m.assign(row.from, row.entry);
        --m.free_count;
    }
}

void match_columns_to_free_tight_rows(DualMatching& m) {
    for (index_t j = 0; j < m.a.cols; ++j) {
        if (m.matched(j) >= 0) continue;
        const double v = m.dual_of_column(j);
        for (count_t e = m.begin(j); e < m.end(j); ++e) {
            const auto& row = m.row_at(e);
            if (row.column >= 0 || m.cost_of(e) - row.dual - v > DualMatching::tight) continue;
            m.assign(j, e);
            --m.free_count;
            break;
        }
    }
}

}  // namespace

void start_matching(DualMatching& m) {
    set_column_minima(m);
    set_row_minima(m);
    match_rows_to_their_minima(m);
    match_columns_to_free_tight_rows(m);
}

}  // namespace frond

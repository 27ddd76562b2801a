// SPDX-License-Identifier: BSD-3-Clause
// Internal to scaling/: the state that the stages of the maximum-product matching share.
#pragma once

#include "frond/base/types.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <limits>
#include <vector>

namespace frond {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// A partial matching and dual variables of   min sum c_ij,  c_ij = -log2|a_ij|.
///
/// Kept by every stage: u_i + v_j <= c_ij for all entries, with equality on matched ones (a matched
/// entry is *tight*). So a perfect matching is an optimal one (Duff & Koster 2001, section 2).
/// An entry with a_ij = 0 has an infinite cost and never becomes tight.
struct DualMatching {
    struct Row {
        double dual = 0;  // u_i; -infinity while the row is uncovered territory (bury)
        double distance = std::numeric_limits<double>::infinity();  // of the search under way
        count_t entry = -1;  // through which the search came
        index_t column = -1;  // matched column, -1 when free
        index_t from = -1;  // column of `entry`
    };

    /// Slack below this counts as zero: rounding in costs of up to 1074 and in their differences.
    static constexpr double tight = 0x1p-40;
    static constexpr count_t free_column = -1;
    static constexpr count_t buried_column = -2;  // no augmenting path from it exists

    DualMatching(const Pattern& pattern, const std::vector<double>& magnitude);

    count_t begin(index_t j) const { return a.begin[j]; }

    count_t end(index_t j) const { return a.begin[j + 1]; }

    index_t row_of(count_t e) const { return a.row[e]; }

    double cost_of(count_t e) const { return cost[e]; }

    Row& row_at(count_t e) { return rows[row_of(e)]; }

    Row& row(index_t i) { return rows[i]; }

    count_t& matched(index_t j) { return matched_entry[j]; }

    double& dual_of_column(index_t j) { return column_dual[j]; }

    /// Matches column j to the row of entry e and makes e exactly tight by v_j.
    void assign(index_t j, count_t e) {
        Row& r = row_at(e);
        r.column = j;
        matched(j) = e;
        dual_of_column(j) = cost_of(e) - r.dual;
    }

    /// v_j = min_i (c_ij - u_i); false, v_j unchanged, when the column has no usable entry.
    bool tighten_column(index_t j);

    /// Columns that are free (and not buried), ascending.
    std::vector<index_t> free_columns() const;

    const Pattern& a;
    std::vector<double> cost;  // [entries]
    std::vector<Row> rows;  // [n]
    std::vector<double> column_dual;  // [n] v_j
    std::vector<count_t> matched_entry;  // [n] >= 0: matched by this entry
    index_t free_count = 0;  // free columns
    count_t scanned = 0;  // entries looked at by searches: the measure of work

    /// Rows and columns from which no free row can be reached, in the order in which they were
    /// found. Block b: rows buried_rows[block_end[b-1] .. block_end[b]) with the duals they had.
    std::vector<index_t> buried_rows;
    std::vector<double> buried_duals;
    std::vector<count_t> block_end;
};

/// v_j = min_i c_ij, then u_i = min_j (c_ij - v_j): feasible, every row and column with a tight
/// entry. Then each column takes a free row of a tight entry if it has one (Duff & Koster 2001,
/// section 4).
void start_matching(DualMatching& m);

/// Augments along tight entries only until no path of them is left, duals of rows unchanged
/// (Pothen & Fan 1990: depth-first search with look-ahead, in phases).
void augment_along_tight_entries(DualMatching& m);

/// Prices (duals) close to the optimum by bidding; matching and duals consistent again on exit.
/// Bertsekas 1988, with the tolerance reduced in rounds.
void bid_for_rows(DualMatching& m);

/// One step of the primal-dual method from all free columns at once; returns the columns matched.
index_t raise_duals_from_all_free_columns(DualMatching& m);

/// Restores the duals of buried blocks and shifts them so that all entries are feasible again.
void make_buried_blocks_feasible(DualMatching& m);

/// cost[e] = -log2(magnitude[e]); +infinity for a zero.
///
/// Error at most 4 eps of the result plus 4 eps; exact for powers of two, so that matrices of such
/// entries (patterns, incidence matrices) have exact ties. Written without branches: it vectorizes.
/// @pre every magnitude is finite and >= 0.
std::vector<double> negated_log2(const std::vector<double>& magnitude);

}  // namespace frond

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

namespace {

/// The matched columns of block b have entries in rows of blocks 0..b only; any column may have
/// entries in buried rows. Shifting a block, u - k on its rows and v + k on its columns, keeps its
/// own entries; k is the least one for which the entries that couple other columns to its rows are
/// feasible. So blocks are settled from the last to the first.
class BlockShift {
public:
    explicit BlockShift(DualMatching& m)
        : m_(m), block_of_row_(m.rows.size(), -1), excess_(m.block_end.size(), -infinity) {}

    void run() {
        restore_rows();
        for (index_t j = 0; j < m_.a.cols; ++j)
            if (m_.matched(j) >= 0 && block_of_row(m_.matched(j)) < 0) record_excess(j, blocks());
        for (index_t b = blocks(); b-- > 0;) {
            if (excess_[b] > -infinity) shift(b, excess_[b]);
            for (count_t k = first(b); k < m_.block_end[b]; ++k) record_excess(row_at(k).column, b);
        }
    }

private:
    index_t blocks() const { return static_cast<index_t>(m_.block_end.size()); }

    count_t first(index_t b) const { return b == 0 ? 0 : m_.block_end[b - 1]; }

    index_t block_of_row(count_t e) const { return block_of_row_[m_.row_of(e)]; }

    DualMatching::Row& row_at(count_t k) { return m_.row(m_.buried_rows[k]); }

    void restore_rows() {
        for (index_t b = 0; b < blocks(); ++b)
            for (count_t k = first(b); k < m_.block_end[b]; ++k) {
                row_at(k).dual = m_.buried_duals[k];
                block_of_row_[m_.buried_rows[k]] = b;
            }
    }

    /// excess of block b' < b: the largest u_i + v_j - c_ij over entries of column j in its rows.
    void record_excess(index_t j, index_t b) {
        const double v = m_.dual_of_column(j);
        for (count_t e = m_.begin(j); e < m_.end(j); ++e) {
            const index_t other = block_of_row(e);
            if (other < 0 || other >= b) continue;
            double& most = excess_[other];
            most = std::max(most, m_.row_at(e).dual + v - m_.cost_of(e));
        }
    }

    void shift(index_t b, double k) {
        for (count_t r = first(b); r < m_.block_end[b]; ++r) {
            row_at(r).dual -= k;
            m_.dual_of_column(row_at(r).column) += k;
        }
    }

    DualMatching& m_;
    std::vector<index_t> block_of_row_;  // [n] -1: not buried
    std::vector<double> excess_;  // [blocks]
};

/// Free rows take the largest dual that is feasible, free columns likewise: their largest scaled
/// entry is 1. A free row and a free column share no entry, so the order does not matter.
void fit_free_rows_and_columns(DualMatching& m) {
    for (auto& row : m.rows)
        if (row.column < 0) row.dual = infinity;
    for (index_t j = 0; j < m.a.cols; ++j) {
        if (m.matched(j) < 0) continue;
        const double v = m.dual_of_column(j);
        for (count_t e = m.begin(j); e < m.end(j); ++e) {
            auto& row = m.row_at(e);
            if (row.column < 0) row.dual = std::min(row.dual, m.cost_of(e) - v);
        }
    }
    for (auto& row : m.rows)
        if (row.dual == infinity) row.dual = 0;
    for (index_t j = 0; j < m.a.cols; ++j)
        if (m.matched(j) < 0 && !m.tighten_column(j)) m.dual_of_column(j) = 0;
}

}  // namespace

void make_buried_blocks_feasible(DualMatching& m) {
    BlockShift(m).run();
    fit_free_rows_and_columns(m);
}

}  // namespace frond

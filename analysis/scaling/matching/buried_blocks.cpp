// SPDX-License-Identifier: BSD-3-Clause
#include "dual_matching.hpp"

#include <algorithm>

namespace frond {
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

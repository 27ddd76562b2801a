// SPDX-License-Identifier: BSD-3-Clause
// One panel of L D L^T (L D L^H) with the columns that have failed: the test of the failed rows
// belongs to the panel's own (Duff, Hogg & Lopez 2020, section 3.2: failed entries stay in the way).
#include "../scalar.hpp"
#include "counted_vector.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "second_pass_parts.hpp"

#include <algorithm>

namespace frond::cpu {
namespace {

template <class T>
class SymmetricPanel {
public:
    SymmetricPanel(bool hermitian, const PivotRule& rule, FactoredPanel<T>& panel, FailedColumns<T>& failed)
        : hermitian_(hermitian),
          bound_(1 / rule.threshold),
          panel_(panel),
          failed_(failed),
          n_(panel.diagonal.cols),
          old_(failed.rows()),
          rows_d_bytes_(failed.account, bytes_of<T>(static_cast<count_t>(old_) * n_)) {}

    index_t accept(index_t limit) {
        if (old_ > 0) limit = std::min(limit, solve_failed());
        const index_t kept = whole_pivots(std::min(limit, first_replaced_pivot(n_, panel_.replaced)), panel_.pivots);
        if (kept < n_) unsolve(kept);
        if (old_ > 0) update_failed(kept);
        if (kept < n_) {
            give_back(kept);
            clear(kept);
        }
        return kept;
    }

    /// The largest |l| of the failed rows.
    double largest_l() const { return largest_l_; }

private:
    DenseView<T> failed_rows() { return failed_.own_rows_view().block(0, panel_.first_column, old_, n_); }

    DenseView<T> failed_rows_d() { return {rows_d_.data(), old_, n_, old_}; }

    /// L(F, panel) and L D; returns the first column above the bound.
    index_t solve_failed() {
        rows_d_.resize(static_cast<std::size_t>(old_) * static_cast<std::size_t>(n_));
        solve_panel_ldlt<T>(panel_.diagonal, hermitian_, panel_.pivots, panel_.perm, failed_rows(), failed_rows_d());
        return first_column_above<T>(failed_rows(), bound_, largest_l_);
    }

    void unsolve(index_t kept) {
        for (auto& tile : panel_.tiles) unsolve_panel_ldlt<T>(panel_.diagonal, hermitian_, kept, tile.left, tile.spare);
        if (old_ > 0) unsolve_panel_ldlt<T>(panel_.diagonal, hermitian_, kept, failed_rows(), failed_rows_d());
        unfactor_ldlt<T>(panel_.diagonal, hermitian_, kept, panel_.pivots, panel_.replaced);
    }

    /// A(., F) := A(., F) - L(., panel) (L(F, panel) D)' over the kept columns.
    void update_failed(index_t kept) {
        const DenseView<const T> l = failed_rows().block(0, 0, old_, kept);
        const DenseView<const T> l_d = failed_rows_d().block(0, 0, old_, kept);
        for (const auto& tile : panel_.tiles) {
            const DenseView<const T> left = tile.left.block(0, 0, tile.left.rows, kept);
            const DenseView<const T> left_d = tile.spare.block(0, 0, tile.left.rows, kept);
            if (tile.begin < failed_.npiv)
                update_transposed<T>(l, left_d, hermitian_,
                                     failed_.own_rows_view().block(0, tile.begin, old_, tile.left.rows));
            else
                update_transposed<T>(left, l_d, hermitian_,
                                     failed_.below_view().block(tile.begin - failed_.npiv, 0, tile.left.rows, old_));
        }
        update_lower<T>(l, l_d, hermitian_, failed_.square_view());
    }

    /// The columns not kept become failed columns, as they are with the kept ones eliminated.
    void give_back(index_t kept) {
        std::vector<index_t> positions;
        for (index_t k = kept; k < n_; ++k) positions.push_back(panel_.first_position + k);
        failed_.append(true, positions, positions);
        const index_t count = n_ - kept;
        const auto square = failed_.square_view(), own_rows = failed_.own_rows_view(), below = failed_.below_view();
        for (index_t j = 0; j < count; ++j)
            for (index_t i = j; i < count; ++i) square(old_ + i, old_ + j) = panel_.diagonal(kept + i, kept + j);
        for (index_t j = 0; j < old_; ++j)
            for (index_t i = 0; i < count; ++i)
                square(old_ + i, j) = conjugate_if(hermitian_, failed_rows_d_at(j, kept + i));
        for (const auto& tile : panel_.tiles)
            for (index_t j = 0; j < count; ++j)
                for (index_t i = 0; i < tile.left.rows; ++i) {
                    const T x = tile.spare(i, kept + j);
                    if (tile.begin < failed_.npiv)
                        own_rows(old_ + j, tile.begin + i) = conjugate_if(hermitian_, x);
                    else
                        below(tile.begin - failed_.npiv + i, old_ + j) = x;
                }
    }

    T failed_rows_d_at(index_t i, index_t j) const {
        return rows_d_[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(old_)];
    }

    /// Pivots 1 without effect where nothing was eliminated.
    void clear(index_t kept) {
        for (index_t k = kept; k < n_; ++k) {
            for (index_t i = k; i < n_; ++i) panel_.diagonal(i, k) = T(i == k ? 1 : 0);
            panel_.pivots[2 * k] = 1;
            panel_.pivots[2 * k + 1] = 0;
            for (auto& tile : panel_.tiles) std::fill_n(tile.spare.column(k), tile.spare.rows, T(0));
        }
    }

    bool hermitian_;
    double bound_;
    double largest_l_ = 0;
    FactoredPanel<T>& panel_;
    FailedColumns<T>& failed_;
    index_t n_;
    index_t old_;  // failed before this panel
    TakenBytes rows_d_bytes_;
    HostVector<T> rows_d_;
};

}  // namespace

template <class T>
index_t accept_symmetric_pivots(bool hermitian, const PivotRule& rule, index_t limit, FactoredPanel<T>& panel,
                                FailedColumns<T>& failed, double& largest_l) {
    SymmetricPanel<T> accepted(hermitian, rule, panel, failed);
    const index_t kept = accepted.accept(limit);
    largest_l = std::max(largest_l, accepted.largest_l());
    return kept;
}

#define FROND_INSTANTIATE(T)                                                                                           \
    template index_t accept_symmetric_pivots<T>(bool, const PivotRule&, index_t, FactoredPanel<T>&, FailedColumns<T>&, \
                                                double&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

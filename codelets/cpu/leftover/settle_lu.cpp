// SPDX-License-Identifier: BSD-3-Clause
// One panel of L U with the rows and columns that are pending.
#include "counted_vector.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "settle_panel.hpp"

#include <algorithm>

namespace frond::cpu {
namespace {

template <class T>
class LuPanel {
public:
    LuPanel(const PivotRule& rule, FactoredPanel<T>& panel, FailedColumns<T>& pending)
        : bound_(1 / rule.threshold),
          panel_(panel),
          pending_(pending),
          n_(panel.diagonal.cols),
          old_rows_(pending.rows()),
          old_cols_(pending.cols()),
          saved_bytes_(pending.account, bytes_of<T>(static_cast<count_t>(old_rows_) * n_)) {}

    index_t settle(index_t limit) {
        if (old_rows_ > 0) limit = std::min(limit, solve_pending_rows());
        if (old_cols_ > 0) solve_pending_columns();
        const index_t kept = std::min(limit, first_replaced_pivot(n_, panel_.replaced));
        if (kept < n_) unsolve(kept);
        update_pending(kept);
        if (kept < n_) {
            give_back(kept);
            clear(kept);
        }
        return kept;
    }

    /// Of the pending rows.
    double largest_l() const { return largest_l_; }

private:
    DenseView<T> pending_rows() { return pending_.own_rows_view().block(0, panel_.first_column, old_rows_, n_); }

    DenseView<T> pending_columns() { return pending_.own_columns_view().block(panel_.first_column, 0, n_, old_cols_); }

    DenseView<T> saved_rows() { return {saved_.data(), old_rows_, n_, old_rows_}; }

    index_t solve_pending_rows() {
        const DenseView<T> rows = pending_rows();
        saved_.reserve(static_cast<std::size_t>(old_rows_) * static_cast<std::size_t>(n_));
        for (index_t j = 0; j < n_; ++j) saved_.insert(saved_.end(), rows.column(j), rows.column(j) + old_rows_);
        solve_panel_lu_lower<T>(panel_.diagonal, rows);
        return first_column_above<T>(rows, bound_, largest_l_);
    }

    void solve_pending_columns() {
        const count_t scratch = solve_panel_lu_upper_workspace(n_, old_cols_);
        const TakenBytes bytes(pending_.account, bytes_of<T>(scratch));
        HostVector<T> work(static_cast<std::size_t>(scratch));
        solve_panel_lu_upper<T>(panel_.diagonal, panel_.perm, pending_columns(), work.data());
    }

    void unsolve(index_t kept) {
        for (auto& tile : panel_.tiles) {
            unsolve_panel_lu_lower<T>(panel_.diagonal, kept, tile.left, tile.spare);
            unsolve_panel_lu_upper<T>(panel_.diagonal, kept, tile.upper);
        }
        if (old_rows_ > 0) unsolve_panel_lu_lower<T>(panel_.diagonal, kept, pending_rows(), saved_rows());
        if (old_cols_ > 0) unsolve_panel_lu_upper<T>(panel_.diagonal, kept, pending_columns());
        unfactor_lu<T>(panel_.diagonal, kept, panel_.replaced);
    }

    /// The pending rows minus L(F, panel) U(panel, .), the pending columns minus L(., panel) U(panel, F)
    /// over the kept pivots.
    void update_pending(index_t kept) {
        if (old_rows_ == 0 && old_cols_ == 0) return;
        const DenseView<const T> l = pending_rows().block(0, 0, old_rows_, kept);
        const DenseView<const T> u = pending_columns().block(0, 0, kept, old_cols_);
        for (const auto& tile : panel_.tiles) {
            const index_t size = tile.left.rows;
            const DenseView<const T> left = tile.left.block(0, 0, size, kept);
            const DenseView<const T> upper = tile.upper.block(0, 0, kept, size);
            if (tile.begin < pending_.npiv) {
                update_general<T>(l, upper, pending_.own_rows_view().block(0, tile.begin, old_rows_, size));
                update_general<T>(left, u, pending_.own_columns_view().block(tile.begin, 0, size, old_cols_));
                continue;
            }
            const index_t row = tile.begin - pending_.npiv;
            update_general<T>(l, upper, pending_.right_view().block(0, row, old_rows_, size));
            update_general<T>(left, u, pending_.below_view().block(row, 0, size, old_cols_));
        }
        update_general<T>(l, u, pending_.square_view());
    }

    void give_back(index_t kept) {
        std::vector<index_t> slots;
        for (index_t k = kept; k < n_; ++k) slots.push_back(panel_.first_slot + k);
        pending_.append(false, slots, slots);
        give_back_square(kept);
        for (const auto& tile : panel_.tiles) give_back_tile(tile, kept);
    }

    void give_back_square(index_t kept) {
        const auto square = pending_.square_view();
        const auto columns = pending_columns();
        for (index_t j = kept; j < n_; ++j) {
            for (index_t i = 0; i < old_rows_; ++i) square(i, old_cols_ + j - kept) = saved_rows()(i, j);
            for (index_t i = kept; i < n_; ++i)
                square(old_rows_ + i - kept, old_cols_ + j - kept) = panel_.diagonal(i, j);
        }
        for (index_t j = 0; j < old_cols_; ++j)
            for (index_t i = kept; i < n_; ++i) {
                square(old_rows_ + i - kept, j) = columns(i, j);
                columns(i, j) = 0;
            }
    }

    void give_back_tile(const typename FactoredPanel<T>::Tile& tile, index_t kept) {
        const bool own = tile.begin < pending_.npiv;
        const index_t begin = own ? tile.begin : tile.begin - pending_.npiv;
        const auto columns = own ? pending_.own_columns_view() : pending_.below_view();
        const auto rows = own ? pending_.own_rows_view() : pending_.right_view();
        for (index_t i = 0; i < tile.left.rows; ++i)
            for (index_t k = kept; k < n_; ++k) {
                columns(begin + i, old_cols_ + k - kept) = tile.spare(i, k);
                rows(old_rows_ + k - kept, begin + i) = tile.upper(k, i);
                tile.upper(k, i) = 0;
            }
    }

    /// Pivots 1 without effect where nothing was eliminated.
    void clear(index_t kept) {
        for (index_t j = kept; j < n_; ++j)
            for (index_t i = kept; i < n_; ++i) panel_.diagonal(i, j) = T(i == j ? 1 : 0);
    }

    double bound_;
    double largest_l_ = 0;
    FactoredPanel<T>& panel_;
    FailedColumns<T>& pending_;
    index_t n_;
    index_t old_rows_, old_cols_;  // pending before this panel
    TakenBytes saved_bytes_;
    HostVector<T> saved_;  // A(F, panel) before
};

}  // namespace

template <class T>
index_t settle_lu_panel(const PivotRule& rule, index_t limit, FactoredPanel<T>& panel, FailedColumns<T>& pending,
                        double& largest_l) {
    LuPanel<T> settled(rule, panel, pending);
    const index_t kept = settled.settle(limit);
    largest_l = std::max(largest_l, settled.largest_l());
    return kept;
}

#define FROND_INSTANTIATE(T) \
    template index_t settle_lu_panel<T>(const PivotRule&, index_t, FactoredPanel<T>&, FailedColumns<T>&, double&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

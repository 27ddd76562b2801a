// SPDX-License-Identifier: BSD-3-Clause
// One panel of L U with the rows and columns that have failed.
#include "counted_vector.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "second_pass_parts.hpp"

#include <algorithm>

namespace frond::cpu {
namespace {

/// Bound of what accepting takes: the copy of A(F, panel) or L(F, panel) D, a work vector, and the columns
/// given back. How many these are is known where no failed row can lower the limit.
template <class T>
count_t accept_bytes(Factorization kind, index_t limit, const FactoredPanel<T>& panel, const FailedColumns<T>& failed) {
    const bool lu = kind == Factorization::lu;
    const index_t n = panel.diagonal.cols, rows = failed.rows();
    index_t kept = 0;
    if (rows == 0) {
        kept = std::min(limit, first_replaced_pivot(n, panel.replaced));
        if (!lu) kept = whole_pivots(kept, panel.pivots);
    }
    const count_t work = lu ? solve_panel_lu_upper_workspace(n, failed.cols()) : 0;
    const count_t given_back = kept < n ? failed.append_bytes(!lu, n - kept, n - kept) : 0;
    return bytes_of<T>(static_cast<count_t>(rows) * n) + std::max(failed.empty() ? 0 : bytes_of<T>(work), given_back);
}

}  // namespace

template <class T>
index_t accept_pivots(Factorization kind, const PivotRule& rule, index_t limit, FactoredPanel<T>& panel,
                      FailedColumns<T>& failed, PivotReport& report) {
    const EnsuredBytes ensured(failed.account, accept_bytes(kind, limit, panel, failed));
    const index_t kept = kind == Factorization::lu ? accept_lu_pivots(rule, limit, panel, failed, report.largest_l)
                                                   : accept_symmetric_pivots(kind == Factorization::ldlh, rule, limit,
                                                                             panel, failed, report.largest_l);
    count_pivots<T>(kind, kept, panel.diagonal, panel.pivots, report);
    return kept;
}

namespace {

template <class T>
class LuPanel {
public:
    LuPanel(const PivotRule& rule, FactoredPanel<T>& panel, FailedColumns<T>& failed)
        : bound_(1 / rule.threshold),
          panel_(panel),
          failed_(failed),
          n_(panel.diagonal.cols),
          old_rows_(failed.rows()),
          old_cols_(failed.cols()),
          saved_bytes_(failed.account, bytes_of<T>(static_cast<count_t>(old_rows_) * n_)) {}

    index_t accept(index_t limit) {
        if (old_rows_ > 0) limit = std::min(limit, solve_failed_rows());
        if (old_cols_ > 0) solve_failed_columns();
        const index_t kept = std::min(limit, first_replaced_pivot(n_, panel_.replaced));
        if (kept < n_) unsolve(kept);
        update_failed(kept);
        if (kept < n_) {
            give_back(kept);
            clear(kept);
        }
        return kept;
    }

    /// The largest |l| of the failed rows.
    double largest_l() const { return largest_l_; }

private:
    DenseView<T> failed_rows() { return failed_.own_rows_view().block(0, panel_.first_column, old_rows_, n_); }

    DenseView<T> failed_columns() { return failed_.own_columns_view().block(panel_.first_column, 0, n_, old_cols_); }

    DenseView<T> saved_rows() { return {saved_.data(), old_rows_, n_, old_rows_}; }

    index_t solve_failed_rows() {
        const DenseView<T> rows = failed_rows();
        saved_.reserve(static_cast<std::size_t>(old_rows_) * static_cast<std::size_t>(n_));
        for (index_t j = 0; j < n_; ++j) saved_.insert(saved_.end(), rows.column(j), rows.column(j) + old_rows_);
        solve_panel_lu_lower<T>(panel_.diagonal, rows);
        return first_column_above<T>(rows, bound_, largest_l_);
    }

    void solve_failed_columns() {
        const count_t scratch = solve_panel_lu_upper_workspace(n_, old_cols_);
        const TakenBytes bytes(failed_.account, bytes_of<T>(scratch));
        HostVector<T> work(static_cast<std::size_t>(scratch));
        solve_panel_lu_upper<T>(panel_.diagonal, panel_.perm, failed_columns(), work.data());
    }

    void unsolve(index_t kept) {
        for (auto& tile : panel_.tiles) {
            unsolve_panel_lu_lower<T>(panel_.diagonal, kept, tile.left, tile.spare);
            unsolve_panel_lu_upper<T>(panel_.diagonal, kept, tile.upper);
        }
        if (old_rows_ > 0) unsolve_panel_lu_lower<T>(panel_.diagonal, kept, failed_rows(), saved_rows());
        if (old_cols_ > 0) unsolve_panel_lu_upper<T>(panel_.diagonal, kept, failed_columns());
        unfactor_lu<T>(panel_.diagonal, kept, panel_.replaced);
    }

    /// The failed rows minus L(F, panel) U(panel, .), the failed columns minus L(., panel) U(panel, F)
    /// over the kept pivots.
    void update_failed(index_t kept) {
        if (old_rows_ == 0 && old_cols_ == 0) return;
        const DenseView<const T> l = failed_rows().block(0, 0, old_rows_, kept);
        const DenseView<const T> u = failed_columns().block(0, 0, kept, old_cols_);
        for (const auto& tile : panel_.tiles) {
            const index_t size = tile.left.rows;
            const DenseView<const T> left = tile.left.block(0, 0, size, kept);
            const DenseView<const T> upper = tile.upper.block(0, 0, kept, size);
            if (tile.begin < failed_.npiv) {
                update_general<T>(l, upper, failed_.own_rows_view().block(0, tile.begin, old_rows_, size));
                update_general<T>(left, u, failed_.own_columns_view().block(tile.begin, 0, size, old_cols_));
                continue;
            }
            const index_t row = tile.begin - failed_.npiv;
            update_general<T>(l, upper, failed_.right_view().block(0, row, old_rows_, size));
            update_general<T>(left, u, failed_.below_view().block(row, 0, size, old_cols_));
        }
        update_general<T>(l, u, failed_.square_view());
    }

    void give_back(index_t kept) {
        std::vector<index_t> positions;
        for (index_t k = kept; k < n_; ++k) positions.push_back(panel_.first_position + k);
        failed_.append(false, positions, positions);
        give_back_square(kept);
        for (const auto& tile : panel_.tiles) give_back_tile(tile, kept);
    }

    void give_back_square(index_t kept) {
        const auto square = failed_.square_view();
        const auto columns = failed_columns();
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
        const bool own = tile.begin < failed_.npiv;
        const index_t begin = own ? tile.begin : tile.begin - failed_.npiv;
        const auto columns = own ? failed_.own_columns_view() : failed_.below_view();
        const auto rows = own ? failed_.own_rows_view() : failed_.right_view();
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
    FailedColumns<T>& failed_;
    index_t n_;
    index_t old_rows_, old_cols_;  // failed before this panel
    TakenBytes saved_bytes_;
    HostVector<T> saved_;  // A(F, panel) before
};

}  // namespace

template <class T>
index_t accept_lu_pivots(const PivotRule& rule, index_t limit, FactoredPanel<T>& panel, FailedColumns<T>& failed,
                         double& largest_l) {
    LuPanel<T> accepted(rule, panel, failed);
    const index_t kept = accepted.accept(limit);
    largest_l = std::max(largest_l, accepted.largest_l());
    return kept;
}

#define FROND_INSTANTIATE(T)                                                                                          \
    template index_t accept_pivots<T>(Factorization, const PivotRule&, index_t, FactoredPanel<T>&, FailedColumns<T>&, \
                                      PivotReport&);                                                                  \
    template index_t accept_lu_pivots<T>(const PivotRule&, index_t, FactoredPanel<T>&, FailedColumns<T>&, double&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

// SPDX-License-Identifier: BSD-3-Clause
// accept_lu.cpp for a front that several ranks share.
#include <algorithm>

#include "counted_vector.hpp"
#include "failed_part_blocks.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"

namespace frond::cpu {
namespace {

template <class T>
void square_given_back_lu(const FactoredDiagonal<T>& diagonal, AcceptedPanel<T>& panel, MemoryAccount* account) {
    const index_t n = panel.n, count = panel.given_back();
    const TakenBytes bytes(account, bytes_of<T>(static_cast<count_t>(n) * n));
    HostVector<T> copy(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
    const DenseView<T> a = block_of(copy, n, n);
    for (index_t j = 0; j < n; ++j) std::copy_n(diagonal.tile.column(j), n, a.column(j));
    unfactor_lu<T>(a, panel.kept, diagonal.replaced);
    panel.square = counted_vector<T>(static_cast<count_t>(count) * count, account);
    const DenseView<T> square = block_of(panel.square, count, count);
    for (index_t j = 0; j < count; ++j) std::copy_n(&a(panel.kept, panel.kept + j), count, square.column(j));
}

template <class T>
void solve_failed_columns_lu(const FactoredDiagonal<T>& diagonal, AcceptedPanel<T>& panel, MemoryAccount* account) {
    const count_t scratch = solve_panel_lu_upper_workspace(panel.n, panel.cols);
    const TakenBytes bytes(account, bytes_of<T>(scratch));
    HostVector<T> work(static_cast<std::size_t>(scratch));
    solve_panel_lu_upper<T>(diagonal.tile, diagonal.perm, block_of(panel.upper, panel.n, panel.cols), work.data());
}

}  // namespace

template <class T>
void decide_lu(const PivotRule& rule, index_t limit, const FactoredDiagonal<T>& diagonal, FailedPart<T>& part,
               AcceptedPanel<T>& panel, double& largest_l, MemoryAccount* account) {
    const index_t n = panel.n, rows = panel.rows, cols = panel.cols;
    panel.left = std::move(part.row_part);
    panel.upper = std::move(part.column_part);
    const DenseView<T> l = block_of(panel.left, rows, n);
    if (rows > 0) {
        panel.left_d = counted_room<T>(static_cast<count_t>(rows) * n, account);
        panel.left_d.assign(panel.left.begin(), panel.left.end());
        solve_panel_lu_lower<T>(diagonal.tile, l);
        limit = std::min(limit, first_column_above<T>(l, 1 / rule.threshold, largest_l));
    }
    if (cols > 0) solve_failed_columns_lu(diagonal, panel, account);
    panel.kept = std::min(limit, first_replaced_pivot(n, diagonal.replaced));
    if (panel.kept == n) return;
    if (rows > 0) unsolve_panel_lu_lower<T>(diagonal.tile, panel.kept, l, block_of(panel.left_d, rows, n));
    if (cols > 0) unsolve_panel_lu_upper<T>(diagonal.tile, panel.kept, block_of(panel.upper, n, cols));
    square_given_back_lu(diagonal, panel, account);
}

template <class T>
void give_back_lu(const AcceptedPanel<T>& panel, DenseView<const T> diagonal,
                  const typename FactoredPanel<T>::Tile& tile, FailedPart<T>& back, MemoryAccount* account) {
    const index_t kept = panel.kept, count = panel.given_back();
    back.rows = back.cols = count;
    if (tile.left.data != nullptr) {
        const index_t size = tile.left.rows;
        unsolve_panel_lu_lower<T>(diagonal, kept, tile.left, tile.spare);
        back.column_part = counted_vector<T>(static_cast<count_t>(count) * size, account);
        for (index_t j = 0; j < count; ++j)
            std::copy_n(tile.spare.column(kept + j), size, block_of(back.column_part, size, count).column(j));
    }
    if (tile.upper.data == nullptr) return;
    const index_t size = tile.upper.cols;
    unsolve_panel_lu_upper<T>(diagonal, kept, tile.upper);
    back.row_part = counted_vector<T>(static_cast<count_t>(count) * size, account);
    for (index_t j = 0; j < size; ++j) {
        std::copy_n(&tile.upper(kept, j), count, block_of(back.row_part, count, size).column(j));
        std::fill_n(&tile.upper(kept, j), count, T(0));
    }
}

template <class T>
void update_part_lu(const AcceptedPanel<T>& panel, const typename FactoredPanel<T>::Tile& tile, FailedPart<T>& part) {
    const index_t rows = panel.rows, cols = panel.cols, kept = panel.kept, size = tile.left.rows;
    if (rows == 0 && cols == 0) return;
    const DenseView<const T> l = block_of(panel.left, rows, panel.n).block(0, 0, rows, kept);
    const DenseView<const T> u = block_of(panel.upper, panel.n, cols).block(0, 0, kept, cols);
    const DenseView<const T> left = tile.left.block(0, 0, size, kept), upper = tile.upper.block(0, 0, kept, size);
    update_general<T>(l, upper, block_of(part.row_part, rows, size));
    update_general<T>(left, u, block_of(part.column_part, size, cols));
}

template <class T>
void keep_lu(const AcceptedPanel<T>& panel, index_t first_column, FailedColumns<T>& failed) {
    const index_t rows = panel.rows, cols = panel.cols, n = panel.n, kept = panel.kept;
    if (rows == 0 && cols == 0) return;
    const DenseView<const T> l = block_of(panel.left, rows, n), u = block_of(panel.upper, n, cols);
    const DenseView<T> own_rows = failed.own_rows_view().block(0, first_column, rows, n);
    const DenseView<T> own_columns = failed.own_columns_view().block(first_column, 0, n, cols);
    for (index_t j = 0; j < n; ++j) std::copy_n(l.column(j), rows, own_rows.column(j));
    for (index_t j = 0; j < cols; ++j) {
        std::copy_n(u.column(j), kept, own_columns.column(j));
        std::fill_n(own_columns.column(j) + kept, n - kept, T(0));
    }
    update_general<T>(l.block(0, 0, rows, kept), u.block(0, 0, kept, cols), failed.square_view());
}

template <class T>
void append_square_lu(const AcceptedPanel<T>& panel, FailedColumns<T>& failed) {
    const index_t rows = panel.rows, cols = panel.cols, kept = panel.kept, count = panel.given_back();
    const DenseView<const T> saved = block_of(panel.left_d, rows, panel.n), u = block_of(panel.upper, panel.n, cols);
    const DenseView<const T> back = block_of(panel.square, count, count);
    const DenseView<T> square = failed.square_view();
    for (index_t j = 0; j < count; ++j) {
        for (index_t i = 0; i < rows; ++i) square(i, cols + j) = saved(i, kept + j);
        for (index_t i = 0; i < count; ++i) square(rows + i, cols + j) = back(i, j);
    }
    for (index_t j = 0; j < cols; ++j)
        for (index_t i = 0; i < count; ++i) square(rows + i, j) = u(kept + i, j);
}

#define FROND_INSTANTIATE(T)                                                                                           \
    template void decide_lu<T>(const PivotRule&, index_t, const FactoredDiagonal<T>&, FailedPart<T>&,                  \
                               AcceptedPanel<T>&, double&, MemoryAccount*);                                            \
    template void give_back_lu<T>(const AcceptedPanel<T>&, DenseView<const T>, const typename FactoredPanel<T>::Tile&, \
                                  FailedPart<T>&, MemoryAccount*);                                                     \
    template void update_part_lu<T>(const AcceptedPanel<T>&, const typename FactoredPanel<T>::Tile&, FailedPart<T>&);  \
    template void keep_lu<T>(const AcceptedPanel<T>&, index_t, FailedColumns<T>&);                                     \
    template void append_square_lu<T>(const AcceptedPanel<T>&, FailedColumns<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

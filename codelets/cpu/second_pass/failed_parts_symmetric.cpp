// SPDX-License-Identifier: BSD-3-Clause
// accept_symmetric.cpp for a front that several ranks share.
#include <algorithm>

#include "../scalar.hpp"
#include "counted_vector.hpp"
#include "failed_part_blocks.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"

namespace frond::cpu {
namespace {

/// What is given back of the diagonal tile, which stays as it is.
template <class T>
void square_given_back_symmetric(bool hermitian, const FactoredDiagonal<T>& diagonal, AcceptedPanel<T>& panel,
                                 MemoryAccount* account) {
    const index_t n = panel.n, count = panel.given_back();
    const TakenBytes bytes(account, bytes_of<T>(static_cast<count_t>(n) * n));
    HostVector<T> copy(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
    const DenseView<T> a = block_of(copy, n, n);
    for (index_t j = 0; j < n; ++j) std::copy_n(diagonal.tile.column(j), n, a.column(j));
    unfactor_ldlt<T>(a, hermitian, panel.kept, diagonal.pivots, diagonal.replaced);
    panel.square = counted_vector<T>(static_cast<count_t>(count) * count, account);
    const DenseView<T> square = block_of(panel.square, count, count);
    for (index_t j = 0; j < count; ++j)
        for (index_t i = j; i < count; ++i) square(i, j) = a(panel.kept + i, panel.kept + j);
}

}  // namespace

template <class T>
void decide_symmetric(bool hermitian, const PivotRule& rule, index_t limit, const FactoredDiagonal<T>& diagonal,
                      FailedPart<T>& part, AcceptedPanel<T>& panel, double& largest_l, MemoryAccount* account) {
    const index_t n = panel.n, old = panel.rows;
    panel.left = std::move(part.row_part);
    if (old > 0) {
        panel.left_d = counted_vector<T>(static_cast<count_t>(old) * n, account);
        const DenseView<T> l = block_of(panel.left, old, n), l_d = block_of(panel.left_d, old, n);
        solve_panel_ldlt<T>(diagonal.tile, hermitian, diagonal.pivots, diagonal.perm, l, l_d);
        limit = std::min(limit, first_column_above<T>(l, 1 / rule.threshold, largest_l));
    }
    panel.kept = whole_pivots(std::min(limit, first_replaced_pivot(n, diagonal.replaced)), diagonal.pivots);
    if (panel.kept == n) return;
    if (old > 0)
        unsolve_panel_ldlt<T>(diagonal.tile, hermitian, panel.kept, block_of(panel.left, old, n),
                              block_of(panel.left_d, old, n));
    square_given_back_symmetric(hermitian, diagonal, panel, account);
}

template <class T>
void give_back_symmetric(bool hermitian, const AcceptedPanel<T>& panel, DenseView<const T> diagonal, bool is_own,
                         const typename FactoredPanel<T>::Tile& tile, FailedPart<T>& back, MemoryAccount* account) {
    const index_t kept = panel.kept, count = panel.given_back(), size = tile.left.rows;
    unsolve_panel_ldlt<T>(diagonal, hermitian, kept, tile.left, tile.spare);
    back.rows = back.cols = count;
    HostVector<T>& list = is_own ? back.row_part : back.column_part;
    list = counted_vector<T>(static_cast<count_t>(count) * size, account);
    const DenseView<T> to = is_own ? block_of(list, count, size) : block_of(list, size, count);
    for (index_t j = 0; j < count; ++j) {
        T* const from = tile.spare.column(kept + j);
        for (index_t i = 0; i < size; ++i)
            (is_own ? to(j, i) : to(i, j)) = is_own ? conjugate_if(hermitian, from[i]) : from[i];
        std::fill_n(from, size, T(0));
    }
}

template <class T>
void update_part_symmetric(bool hermitian, const AcceptedPanel<T>& panel, bool is_own,
                           const typename FactoredPanel<T>::Tile& tile, FailedPart<T>& part) {
    const index_t old = panel.rows, kept = panel.kept, size = tile.left.rows;
    if (old == 0) return;
    const DenseView<const T> l = block_of(panel.left, old, panel.n).block(0, 0, old, kept);
    const DenseView<const T> l_d = block_of(panel.left_d, old, panel.n).block(0, 0, old, kept);
    const DenseView<const T> left = tile.left.block(0, 0, size, kept), left_d = tile.spare.block(0, 0, size, kept);
    if (is_own)
        update_transposed<T>(l, left_d, hermitian, block_of(part.row_part, old, size));
    else
        update_transposed<T>(left, l_d, hermitian, block_of(part.column_part, size, old));
}

template <class T>
void keep_symmetric(bool hermitian, const AcceptedPanel<T>& panel, FailedColumns<T>& failed, index_t first_column) {
    const index_t old = panel.rows, n = panel.n, kept = panel.kept;
    if (old == 0) return;
    const DenseView<const T> l = block_of(panel.left, old, n), l_d = block_of(panel.left_d, old, n);
    const DenseView<T> rows = failed.own_rows_view().block(0, first_column, old, n);
    for (index_t j = 0; j < n; ++j) std::copy_n(l.column(j), old, rows.column(j));
    update_lower<T>(l.block(0, 0, old, kept), l_d.block(0, 0, old, kept), hermitian, failed.square_view());
}

template <class T>
void append_square_symmetric(bool hermitian, const AcceptedPanel<T>& panel, FailedColumns<T>& failed) {
    const index_t old = panel.rows, count = panel.given_back();
    const DenseView<const T> back = block_of(panel.square, count, count), l_d = block_of(panel.left_d, old, panel.n);
    const DenseView<T> square = failed.square_view();
    for (index_t j = 0; j < count; ++j)
        for (index_t i = j; i < count; ++i) square(old + i, old + j) = back(i, j);
    for (index_t j = 0; j < old; ++j)
        for (index_t i = 0; i < count; ++i) square(old + i, j) = conjugate_if(hermitian, l_d(j, panel.kept + i));
}

#define FROND_INSTANTIATE(T)                                                                                       \
    template void decide_symmetric<T>(bool, const PivotRule&, index_t, const FactoredDiagonal<T>&, FailedPart<T>&, \
                                      AcceptedPanel<T>&, double&, MemoryAccount*);                                 \
    template void give_back_symmetric<T>(bool, const AcceptedPanel<T>&, DenseView<const T>, bool,                  \
                                         const typename FactoredPanel<T>::Tile&, FailedPart<T>&, MemoryAccount*);  \
    template void update_part_symmetric<T>(bool, const AcceptedPanel<T>&, bool,                                    \
                                           const typename FactoredPanel<T>::Tile&, FailedPart<T>&);                \
    template void keep_symmetric<T>(bool, const AcceptedPanel<T>&, FailedColumns<T>&, index_t);                    \
    template void append_square_symmetric<T>(bool, const AcceptedPanel<T>&, FailedColumns<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/failed_parts.hpp"

#include <algorithm>

#include "counted_vector.hpp"
#include "failed_part_blocks.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"

namespace frond::cpu {
namespace {

template <class T>
void take_block(DenseView<const T> from, HostVector<T>& to, MemoryAccount* account) {
    to = counted_room<T>(static_cast<count_t>(from.rows) * from.cols, account);
    for (index_t j = 0; j < from.cols; ++j) to.insert(to.end(), from.column(j), from.column(j) + from.rows);
}

template <class T>
void put_block(DenseView<const T> from, DenseView<T> to) {
    for (index_t j = 0; j < from.cols; ++j) std::copy_n(from.column(j), from.rows, to.column(j));
}

}  // namespace

template <class T>
const FailedPart<T>* FailedParts<T>::find(index_t tile) const {
    const auto found = std::find(tiles.begin(), tiles.end(), tile);
    return found == tiles.end() ? nullptr : &parts[static_cast<std::size_t>(found - tiles.begin())];
}

template <class T>
AcceptedPanel<T> decide_pivots(Factorization kind, const PivotRule& rule, index_t limit,
                               const FactoredDiagonal<T>& diagonal, FailedPart<T>& part, PivotReport& report,
                               MemoryAccount* account) {
    AcceptedPanel<T> panel;
    panel.n = diagonal.tile.cols;
    panel.rows = part.rows;
    panel.cols = part.cols;
    double largest_l = 0;
    if (kind == Factorization::lu)
        decide_lu(rule, limit, diagonal, part, panel, largest_l, account);
    else
        decide_symmetric(kind == Factorization::ldlh, rule, limit, diagonal, part, panel, largest_l, account);
    report.largest_l = std::max(report.largest_l, largest_l);
    count_pivots<T>(kind, panel.kept, diagonal.tile, diagonal.pivots, report);
    part = {};
    panel.made = 1;
    return panel;
}

template <class T>
void clear_diagonal(Factorization kind, index_t kept, const FactoredDiagonal<T>& diagonal) {
    const DenseView<T> a = diagonal.tile;
    const bool lu = kind == Factorization::lu;
    for (index_t j = kept; j < a.cols; ++j) {
        for (index_t i = lu ? kept : j; i < a.cols; ++i) a(i, j) = T(i == j ? 1 : 0);
        if (lu) continue;
        diagonal.pivots[2 * j] = 1;
        diagonal.pivots[2 * j + 1] = 0;
    }
}

template <class T>
void give_back_tile(Factorization kind, const AcceptedPanel<T>& panel, DenseView<const T> diagonal, bool is_own,
                    const typename FactoredPanel<T>::Tile& tile, FailedPart<T>& back, MemoryAccount* account) {
    if (kind == Factorization::lu)
        give_back_lu(panel, diagonal, tile, back, account);
    else
        give_back_symmetric(kind == Factorization::ldlh, panel, diagonal, is_own, tile, back, account);
}

template <class T>
void update_failed_part(Factorization kind, const AcceptedPanel<T>& panel, bool is_own,
                        const typename FactoredPanel<T>::Tile& tile, const FailedPart<T>* columns_back,
                        const FailedPart<T>* rows_back, FailedPart<T>& part, MemoryAccount* account) {
    const index_t size = tile.left.rows, more = panel.given_back();
    if (kind == Factorization::lu)
        update_part_lu(panel, tile, part);
    else
        update_part_symmetric(kind == Factorization::ldlh, panel, is_own, tile, part);
    if (more == 0) return;
    const bool has_rows = kind == Factorization::lu || is_own, has_columns = kind == Factorization::lu || !is_own;
    if (has_rows && rows_back != nullptr)
        append_rows(rows_back->row_part, part.rows, more, size, part.row_part, account);
    if (has_columns && columns_back != nullptr) append_columns(columns_back->column_part, part.column_part, account);
    part.rows += more;
    part.cols += more;
}

template <class T>
void keep_failed(Factorization kind, const AcceptedPanel<T>& panel, index_t first_column, index_t first_position,
                 FailedColumns<T>& failed) {
    const bool lu = kind == Factorization::lu;
    const count_t more = panel.given_back();
    const EnsuredBytes ensured(failed.account,
                               more > 0 ? failed.append_bytes(!lu, panel.given_back(), panel.given_back()) : 0);
    if (lu)
        keep_lu(panel, first_column, failed);
    else
        keep_symmetric(kind == Factorization::ldlh, panel, failed, first_column);
    if (more == 0) return;
    std::vector<index_t> positions;
    for (index_t k = panel.kept; k < panel.n; ++k) positions.push_back(first_position + k);
    failed.append(!lu, positions, positions);
    if (lu)
        append_square_lu(panel, failed);
    else
        append_square_symmetric(kind == Factorization::ldlh, panel, failed);
}

template <class T>
void deal_part(Factorization kind, FailedColumns<T>& failed, index_t begin, index_t size, FailedPart<T>& part,
               MemoryAccount* account) {
    const bool lu = kind == Factorization::lu, is_own = begin < failed.npiv;
    const index_t row = is_own ? begin : begin - failed.npiv, m = failed.rows(), n = failed.cols();
    part.rows = m;
    part.cols = n;
    if (lu || is_own) {
        const auto rows = is_own ? failed.own_rows_view() : failed.right_view();
        take_block<T>(rows.block(0, row, m, size), part.row_part, account);
    }
    if (lu || !is_own) {
        const auto columns = is_own ? failed.own_columns_view() : failed.below_view();
        take_block<T>(columns.block(row, 0, size, n), part.column_part, account);
    }
}

template <class T>
void collect_part(const FailedPart<T>& part, index_t begin, FailedColumns<T>& failed) {
    const index_t row = begin - failed.npiv;
    if (part.cols > 0) {
        const auto size = static_cast<index_t>(part.column_part.size() / static_cast<std::size_t>(part.cols));
        put_block<T>(block_of(part.column_part, size, part.cols), failed.below_view().block(row, 0, size, part.cols));
    }
    if (part.rows == 0 || part.row_part.empty()) return;
    const auto size = static_cast<index_t>(part.row_part.size() / static_cast<std::size_t>(part.rows));
    put_block<T>(block_of(part.row_part, part.rows, size), failed.right_view().block(0, row, part.rows, size));
}

#define FROND_INSTANTIATE(T)                                                                                         \
    template struct FailedParts<T>;                                                                                  \
    template AcceptedPanel<T> decide_pivots<T>(Factorization, const PivotRule&, index_t, const FactoredDiagonal<T>&, \
                                               FailedPart<T>&, PivotReport&, MemoryAccount*);                        \
    template void clear_diagonal<T>(Factorization, index_t, const FactoredDiagonal<T>&);                             \
    template void give_back_tile<T>(Factorization, const AcceptedPanel<T>&, DenseView<const T>, bool,                \
                                    const typename FactoredPanel<T>::Tile&, FailedPart<T>&, MemoryAccount*);         \
    template void update_failed_part<T>(Factorization, const AcceptedPanel<T>&, bool,                                \
                                        const typename FactoredPanel<T>::Tile&, const FailedPart<T>*,                \
                                        const FailedPart<T>*, FailedPart<T>&, MemoryAccount*);                       \
    template void keep_failed<T>(Factorization, const AcceptedPanel<T>&, index_t, index_t, FailedColumns<T>&);       \
    template void deal_part<T>(Factorization, FailedColumns<T>&, index_t, index_t, FailedPart<T>&, MemoryAccount*);  \
    template void collect_part<T>(const FailedPart<T>&, index_t, FailedColumns<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

// SPDX-License-Identifier: BSD-3-Clause
// The two kinds of what failed_parts.cpp does, and blocks of its lists.
#pragma once

#include "frond/cpu/failed_parts.hpp"

namespace frond::cpu {

template <class T>
DenseView<const T> block_of(const HostVector<T>& list, index_t rows, index_t cols) {
    return {list.data(), rows, cols, rows > 0 ? rows : 1};
}
template <class T>
DenseView<T> block_of(HostVector<T>& list, index_t rows, index_t cols) {
    return {list.data(), rows, cols, rows > 0 ? rows : 1};
}

/// list [rows, cols] := list with `added` [more, cols] below it.
template <class T>
void append_rows(const HostVector<T>& added, index_t rows, index_t more, index_t cols, HostVector<T>& list,
                 MemoryAccount* account) {
    const count_t bytes = static_cast<count_t>(added.size() * sizeof(T));
    if (account != nullptr) account->take(bytes);
    HostVector<T> larger;
    larger.reserve(list.size() + added.size());
    for (index_t j = 0; j < cols; ++j) {
        const auto old = list.begin() + static_cast<std::ptrdiff_t>(rows) * j;
        const auto next = added.begin() + static_cast<std::ptrdiff_t>(more) * j;
        larger.insert(larger.end(), old, old + rows);
        larger.insert(larger.end(), next, next + more);
    }
    list.swap(larger);
}
template <class T>
void append_columns(const HostVector<T>& added, HostVector<T>& list, MemoryAccount* account) {
    if (account != nullptr) account->take(static_cast<count_t>(added.size() * sizeof(T)));
    list.insert(list.end(), added.begin(), added.end());
}

// decide_*: all of `panel` but n, rows, cols and made.
template <class T>
void decide_symmetric(bool hermitian, const PivotRule& rule, index_t limit, const FactoredDiagonal<T>& diagonal,
                      FailedPart<T>& part, AcceptedPanel<T>& panel, double& largest_l, MemoryAccount* account);
template <class T>
void decide_lu(const PivotRule& rule, index_t limit, const FactoredDiagonal<T>& diagonal, FailedPart<T>& part,
               AcceptedPanel<T>& panel, double& largest_l, MemoryAccount* account);

template <class T>
void give_back_symmetric(bool hermitian, const AcceptedPanel<T>& panel, DenseView<const T> diagonal, bool is_own,
                         const typename FactoredPanel<T>::Tile& tile, FailedPart<T>& back, MemoryAccount* account);
template <class T>
void give_back_lu(const AcceptedPanel<T>& panel, DenseView<const T> diagonal,
                  const typename FactoredPanel<T>::Tile& tile, FailedPart<T>& back, MemoryAccount* account);

template <class T>
void update_part_symmetric(bool hermitian, const AcceptedPanel<T>& panel, bool is_own,
                           const typename FactoredPanel<T>::Tile& tile, FailedPart<T>& part);
template <class T>
void update_part_lu(const AcceptedPanel<T>& panel, const typename FactoredPanel<T>::Tile& tile, FailedPart<T>& part);

// keep_*: L, U and the square of the columns that failed before; append_square_*: of those given back.
template <class T>
void keep_symmetric(bool hermitian, const AcceptedPanel<T>& panel, FailedColumns<T>& failed, index_t first_column);
template <class T>
void keep_lu(const AcceptedPanel<T>& panel, index_t first_column, FailedColumns<T>& failed);
template <class T>
void append_square_symmetric(bool hermitian, const AcceptedPanel<T>& panel, FailedColumns<T>& failed);
template <class T>
void append_square_lu(const AcceptedPanel<T>& panel, FailedColumns<T>& failed);

}  // namespace frond::cpu

// SPDX-License-Identifier: BSD-3-Clause
// x := P x and x := P^T x without workspace and without touching perm, which other threads read.
#pragma once

#include "frond/cpu/dense_view.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace frond::cpu {

/// Permutations up to this length go through a buffer on the call stack.
inline constexpr index_t permute_buffer_length = 512;

/// Calls visit(start) once for each cycle of perm longer than one, at its smallest element.
/// O(n) for the usual short cycles; at worst n^2 / 2 steps, for one single cycle.
template <class Visit>
void for_each_cycle(const index_t* perm, index_t n, Visit visit) {
    for (index_t start = 0; start < n; ++start) {
        index_t k = perm[start];
        while (k > start) k = perm[k];
        if (k == start && perm[start] != start) visit(start);
    }
}

/// Short columns by move(column, copy of it, k) for every k, others by rotate(column, start) for every cycle.
template <class T, class Move, class Rotate>
void permute_rows(const index_t* perm, DenseView<T> x, const Move& move, const Rotate& rotate) {
    // Bytes: an array of std::complex would be cleared first.
    alignas(T) std::byte storage[permute_buffer_length * sizeof(T)];
    T* buffer = reinterpret_cast<T*>(storage);
    for (index_t j = 0; j < x.cols; ++j) {
        T* column = x.column(j);
        if (x.rows <= permute_buffer_length) {
            std::copy_n(column, x.rows, buffer);
            for (index_t k = 0; k < x.rows; ++k) move(column, buffer, k);
        } else {
            for_each_cycle(perm, x.rows, [&](index_t start) { rotate(column, start); });
        }
    }
}

/// x[k] := x[perm[k]] in each column.
template <class T>
void gather_rows(const index_t* perm, DenseView<T> x) {
    permute_rows(
        perm, x, [perm](T* column, const T* copy, index_t k) { column[k] = copy[perm[k]]; },
        [perm](T* column, index_t start) {
            const T first = column[start];
            index_t k = start;
            for (; perm[k] != start; k = perm[k]) column[k] = column[perm[k]];
            column[k] = first;
        });
}

/// x[perm[k]] := x[k] in each column.
template <class T>
void scatter_rows(const index_t* perm, DenseView<T> x) {
    permute_rows(
        perm, x, [perm](T* column, const T* copy, index_t k) { column[perm[k]] = copy[k]; },
        [perm](T* column, index_t start) {
            T carried = column[start];
            for (index_t k = perm[start]; k != start; k = perm[k]) std::swap(carried, column[k]);
            column[start] = carried;
        });
}

/// Rows first + k and swaps[k] of every column are exchanged, k = 0 .. count - 1 in this order.
template <class T>
void swap_rows(DenseView<T> a, index_t first, const index_t* swaps, index_t count) {
    bool any = false;
    for (index_t k = 0; k < count; ++k) any = any || swaps[k] != first + k;
    for (index_t j = 0; any && j < a.cols; ++j) {
        T* column = a.column(j);
        for (index_t k = 0; k < count; ++k)
            if (swaps[k] != first + k) std::swap(column[first + k], column[swaps[k]]);
    }
}

}  // namespace frond::cpu

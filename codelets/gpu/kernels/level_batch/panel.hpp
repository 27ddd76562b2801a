// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"
#include "kernels/double_bits.hpp"
#include "vendor.hpp"

namespace frond::gpu {

// Blocks and pointers are device memory; asynchronous on the stream.

/// to := from
template <class T>
void copy_block(Stream stream, DenseView<const T> from, DenseView<T> to);

/// to := from, from host memory or to it; not asynchronous if the memory is pageable.
template <class T>
void send_block(Stream stream, DenseView<const T> host, DenseView<T> to);
template <class T>
void fetch_block(Stream stream, DenseView<const T> from, DenseView<T> host);

/// to(:, k) := from(:, perm[k])                       [m, n] both, apart in memory
template <class T>
void gather_columns(Stream stream, DenseView<const T> from, const index_t* perm, DenseView<T> to);

/// to(k, :) := from(perm[k], :)
template <class T>
void gather_rows(Stream stream, DenseView<const T> from, const index_t* perm, DenseView<T> to);

/// to := from D^-1, D as pivots [2, n] of cpu::factor_ldlt say; from and to may be the same
template <class T>
void divide_columns_by_pivots(Stream stream, bool hermitian, const T* pivots, DenseView<const T> from, DenseView<T> to);

/// Answer of check_columns, in device memory while it is made.
struct PanelCheck {
    index_t first_above;
    unsigned long long largest_bits;  // see double_of_bits
    double largest() const { return double_of_bits(largest_bits); }
};

/// first_above := the least of it and the first column with an entry |re| + |im| > bound or NaN;
/// largest := the largest of it and the entries of all columns without one
template <class T>
void check_columns(Stream stream, DenseView<const T> l, double bound, PanelCheck* answer);

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"
#include "vendor.hpp"

namespace frond::gpu {

// Blocks and pointers are device memory; asynchronous on the stream.

/// to := from
template <class T>
void copy_block(Stream stream, DenseView<const T> from, DenseView<T> to);

/// to(:, k) := from(:, perm[k])                       [m, n] both, apart in memory
template <class T>
void gather_columns(Stream stream, DenseView<const T> from, const index_t* perm, DenseView<T> to);

/// to(k, :) := from(perm[k], :)
template <class T>
void gather_rows(Stream stream, DenseView<const T> from, const index_t* perm, DenseView<T> to);

/// to := from D^-1, D as pivots [2, n] of cpu::factor_ldlt say; from and to may be the same
template <class T>
void divide_columns_by_pivots(Stream stream, bool hermitian, const T* pivots, DenseView<const T> from,
                              DenseView<T> to);

/// *first := the least of it and the first column with an entry |re| + |im| > bound or NaN
template <class T>
void lower_to_first_column_above(Stream stream, DenseView<const T> l, double bound, index_t* first);

}  // namespace frond::gpu

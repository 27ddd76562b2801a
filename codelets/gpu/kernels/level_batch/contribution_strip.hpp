// SPDX-License-Identifier: BSD-3-Clause
// Columns of a front behind its fully summed ones, where those alone were eliminated: what makes the first npiv rows of
// such a strip the right factor of the product that is subtracted from its other rows. Arrays in device memory;
// asynchronous on the stream.
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"
#include "vendor.hpp"

namespace frond::gpu {

/// The most rows that order_rows can move.
inline constexpr index_t most_ordered_rows = 4096;

/// L U: rows (k, :) := rows (perm[k] - shift, :) of a block of at most most_ordered_rows rows.
template <class T>
void order_rows(Stream stream, const index_t* perm, index_t shift, DenseView<T> rows);

/// Symmetric kinds: to := D L^H, L D^T for L D L^T. l [columns of `to`, rows of `to`]; pivots as DenseFront's, L L^T: D = 1.
template <class T>
void multiply_by_pivots(Stream stream, Factorization kind, DenseView<const T> l, const T* pivots, DenseView<T> to);

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
// What tasks of a substitution do with a segment of the vectors, other than products and triangular solves. Blocks and
// pointers are device memory; asynchronous on the stream.
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"
#include "vendor.hpp"

namespace frond::gpu {

/// to(perm[k], :) := from(k, :)                       [n, m] both, apart in memory
template <class T>
void scatter_rows(Stream stream, DenseView<const T> from, const index_t* perm, DenseView<T> to);

/// X := D^-1 X, D as pivots [2, n] of cpu::factor_ldlt say
template <class T>
void divide_rows_by_pivots(Stream stream, bool hermitian, const T* pivots, DenseView<T> x);

/// to := to + from
template <class T>
void add_block(Stream stream, DenseView<const T> from, DenseView<T> to);

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"
#include "vendor.hpp"

namespace frond::gpu {

// All pointers are device memory; asynchronous on the stream; every target is written by one thread.

/// block := 0
template <class T>
void clear(Stream stream, DenseView<T> block);

/// block.data[offset[e]] += value[e], e < count; offsets differ
template <class T>
void scatter_add(Stream stream, count_t count, const count_t* offset, const T* value, DenseView<T> block);

/// block(row[r], column[c]) += child(r, c); with `lower` only where column[c] <= row[r].
template <class T>
void extend_add(Stream stream, DenseView<const T> child, const index_t* row, const index_t* column, bool lower,
                DenseView<T> block);

}  // namespace frond::gpu

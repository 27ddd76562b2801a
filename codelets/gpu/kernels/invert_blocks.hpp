// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"
#include "frond/codelets/inverse_block.hpp"
#include "frond/cpu/dense_view.hpp"
#include "vendor.hpp"

namespace frond::gpu {

/// Columns b inverse_block .. of inverses := the inverse of the diagonal block that starts there, of the lower
/// triangle (unit: with 1 on the diagonal) or the upper one of tile [n, n]; zeros in its other triangle.
/// inverses [inverse_block, n]; device memory, asynchronous on the stream.
template <class T>
void invert_blocks(Stream stream, DenseView<const T> tile, bool upper, bool unit, DenseView<T> inverses);

}  // namespace frond::gpu

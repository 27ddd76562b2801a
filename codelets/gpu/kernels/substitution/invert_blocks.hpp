// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"
#include "frond/codelets/inverse_block.hpp"
#include "frond/cpu/dense_view.hpp"
#include "device_scalar.hpp"
#include "vendor.hpp"

namespace frond::gpu {

/// Columns b inverse_block .. of inverses := the inverse of the diagonal block that starts there, of the lower
/// triangle (unit: with 1 on the diagonal) or the upper one of tile [n, n]; zeros in its other triangle.
/// inverses [inverse_block, n]; device memory, asynchronous on the stream.
template <class T>
void invert_blocks(Stream stream, DenseView<const T> tile, bool upper, bool unit, DenseView<T> inverses);

/// *growth (bits of a double, see double_of_bits) := the largest of it and, over the blocks, the largest entry
/// of the block times that of its inverse; infinity when one is not finite.
template <class T>
void measure_inverses(Stream stream, DenseView<const T> tile, bool upper, bool unit, DenseView<const T> inverses,
                      unsigned long long* growth);

/// A triangle [size, size], size <= inverse_block, and where its inverse goes; its other triangle there is
/// not touched.
template <class S>
struct TriangleToInvert {
    const S* triangle;
    count_t ld;
    S* inverse;
    count_t ld_inverse;
    index_t size;
    bool upper, unit;
};
template <class S>
void invert_triangles(Stream stream, const TriangleToInvert<S>* triangles, count_t count);

}  // namespace frond::gpu

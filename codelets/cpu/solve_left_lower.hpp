// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/kernels.hpp"
#include "simd/kernel_table.hpp"

#include <algorithm>

namespace frond::cpu {

/// B := L^-1 B, by blocks of rows: an update with the rows already solved, then substitution.
template <class T>
void solve_left_lower(DenseView<const T> l, bool unit, DenseView<T> b) {
    const auto& kernels = simd::kernels<T>();
    const auto solve = unit ? kernels.left_solve_unit_lower : kernels.left_solve_lower;
    const index_t n = b.rows;
    for (index_t i = 0; i < n; i += simd::left_triangle_order) {
        const index_t height = std::min(simd::left_triangle_order, n - i);
        const auto block = b.block(i, 0, height, b.cols);
        if (i > 0) update_general<T>(l.block(i, 0, height, i), b.block(0, 0, i, b.cols), block);
        const auto triangle = l.block(i, i, height, height);
        solve(height, b.cols, triangle.data, triangle.ld, block.data, block.ld);
    }
}

}  // namespace frond::cpu

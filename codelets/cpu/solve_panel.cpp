// SPDX-License-Identifier: BSD-3-Clause
// Panels by blocks of columns (or rows, U12): an update with the blocks already solved, then a
// register-blocked substitution in pieces that stay in the second cache.
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"
#include "simd/kernel_table.hpp"
#include "block_steps.hpp"

#include <algorithm>

namespace frond::cpu {

namespace {

/// Order of the triangles given to the register-blocked kernels.
constexpr index_t triangle_order = 128;
static_assert(triangle_order <= simd::ldlt_rows_order);

/// Calls solve(rows block of x) piece by piece.
template <class T, class Solve>
void for_each_row_piece(DenseView<T> x, Solve solve) {
    for (index_t i = 0; i < x.rows; i += rows_at_once<T>)
        solve(x.block(i, 0, std::min(rows_at_once<T>, x.rows - i), x.cols));
}

/// X := X L^-T or X L^-H
template <class T>
void solve_right_lower(DenseView<const T> l, bool unit, bool adjoint, DenseView<T> x) {
    const auto& kernels = simd::kernels<T>();
    const auto solve = unit ? kernels.right_solve_unit_lower : kernels.right_solve_lower;
    const index_t n = x.cols;
    for (index_t j = 0; j < n; j += triangle_order) {
        const index_t width = std::min(triangle_order, n - j);
        const auto block = x.block(0, j, x.rows, width);
        if (j > 0) update_transposed<T>(x.block(0, 0, x.rows, j), l.block(j, 0, width, j), adjoint, block);
        const auto triangle = l.block(j, j, width, width);
        for_each_row_piece(block, [&](DenseView<T> piece) {
            solve(piece.rows, width, triangle.data, triangle.ld, adjoint, piece.data, piece.ld);
        });
    }
}

}  // namespace

template <class T>
void solve_panel_llt(DenseView<const T> l11, DenseView<T> a21) {
    solve_right_lower(l11, false, true, a21);
}

namespace {

/// 1x1 pivots only: blocks of columns of `from`, which is a21 or l21_d; returns the largest |l|.
template <class T>
double solve_one_by_ones(DenseView<const T> l11, bool hermitian, const T* pivots, DenseView<T> from, DenseView<T> a21,
                         DenseView<T> l21_d) {
    const index_t m = a21.rows, n = a21.cols;
    double largest = 0;
    for (index_t j = 0; j < n; j += triangle_order) {
        const index_t width = std::min(triangle_order, n - j);
        if (j > 0)
            update_transposed<T>(l21_d.block(0, 0, m, j), l11.block(j, 0, width, j), hermitian,
                                 from.block(0, j, m, width));
        const double of_block = solve_ldlt_rows(l11.block(j, j, width, width), hermitian, pivots + 2 * j,
                                                from.block(0, j, m, width).as_const(), a21.block(0, j, m, width),
                                                l21_d.block(0, j, m, width));
        largest = std::max(largest, of_block);
    }
    return largest;
}

}  // namespace

template <class T>
void solve_panel_ldlt(DenseView<const T> l11, bool hermitian, const T* pivots, const index_t* perm, DenseView<T> a21,
                      DenseView<T> l21_d, double* largest_l) {
    const index_t m = a21.rows, n = a21.cols;
    if (largest_l != nullptr) *largest_l = 0;
    if (m == 0) return;
    const bool in_order = std::is_sorted(perm, perm + n), pairs = has_two_by_two(n, pivots);
    if (!in_order || pairs)
        for (index_t k = 0; k < n; ++k) std::copy_n(a21.column(perm[k]), m, l21_d.column(k));
    if (!pairs) {
        const double largest = solve_one_by_ones(l11, hermitian, pivots, in_order ? a21 : l21_d, a21, l21_d);
        if (largest_l != nullptr) *largest_l = largest;
        return;
    }
    solve_right_lower(l11, true, hermitian, l21_d);
    simd::kernels<T>().divide_by_pivots(m, n, pivots, hermitian, l21_d.data, l21_d.ld, a21.data, a21.ld);
    if (largest_l != nullptr) *largest_l = largest_magnitude<T>(a21);
}

template <class T>
void solve_panel_lu_lower(DenseView<const T> lu11, DenseView<T> a21) {
    const index_t n = a21.cols;
    for (index_t j = 0; j < n; j += triangle_order) {
        const index_t width = std::min(triangle_order, n - j);
        const auto block = a21.block(0, j, a21.rows, width);
        if (j > 0) update_general<T>(a21.block(0, 0, a21.rows, j), lu11.block(0, j, j, width), block);
        const auto triangle = lu11.block(j, j, width, width);
        for_each_row_piece(block, [&](DenseView<T> piece) {
            simd::kernels<T>().right_solve_upper(piece.rows, width, triangle.data, triangle.ld, piece.data, piece.ld);
        });
    }
}

template <class T>
void solve_panel_lu_upper(DenseView<const T> lu11, const index_t* perm, DenseView<T> a12, T* workspace) {
    const index_t n = a12.rows;
    const bool moved = !std::is_sorted(perm, perm + n);
    for (index_t j = 0; j < a12.cols && moved; ++j) {
        T* column = a12.column(j);
        std::copy_n(column, n, workspace);
        for (index_t k = 0; k < n; ++k) column[k] = workspace[perm[k]];
    }
    solve_left_lower(lu11, true, a12);
}

count_t solve_panel_lu_upper_workspace(index_t n, index_t) { return n; }

#define FROND_INSTANTIATE(T)                                                                                          \
    template void solve_panel_llt<T>(DenseView<const T>, DenseView<T>);                                               \
    template void solve_panel_ldlt<T>(DenseView<const T>, bool, const T*, const index_t*, DenseView<T>, DenseView<T>, \
                                      double*);                                                                       \
    template void solve_panel_lu_lower<T>(DenseView<const T>, DenseView<T>);                                          \
    template void solve_panel_lu_upper<T>(DenseView<const T>, const index_t*, DenseView<T>, T*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

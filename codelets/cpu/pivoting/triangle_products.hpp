// SPDX-License-Identifier: BSD-3-Clause
// Products with triangles in place, the substitutions backwards: last column (row) first, so that
// each still finds the ones before it as they were.
#pragma once

#include "../scalar.hpp"
#include "../simd/kernel_table.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/cpu/kernels.hpp"

#include <algorithm>
#include <cstddef>

namespace frond::cpu {

/// Pivots taken back together.
inline constexpr index_t unfactor_block = 32;
/// Other rows or columns whose factors are copied at once.
inline constexpr index_t unfactor_chunk = 512;

/// - A of a small block, on the call stack: update kernels subtract, taking back adds.
template <class T, index_t capacity = unfactor_block* unfactor_chunk>
class Negated {
public:
    explicit Negated(DenseView<const T> a)
        : view_{reinterpret_cast<T*>(storage_), a.rows, a.cols, std::max<index_t>(a.rows, 1)} {
        for (index_t j = 0; j < a.cols; ++j)
            std::transform(a.column(j), a.column(j) + a.rows, view_.column(j), [](T x) { return -x; });
    }

    DenseView<T> view() const { return view_; }

private:
    // Bytes: an array of std::complex would be cleared first.
    alignas(T) std::byte storage_[capacity * sizeof(T)];
    DenseView<T> view_;
};

/// Column j of X [m, ..] += the columns before it, times factor(p), p < j <= unfactor_block.
template <class T, class Factor>
void add_columns_before(DenseView<T> x, index_t j, Factor factor) {
    T negated[unfactor_block];
    for (index_t p = 0; p < j; ++p) negated[p] = -factor(p);
    simd::kernels<T>().subtract_product(x.rows, j, x.data, x.ld, negated, x.column(j));
}

/// X := X L^T or X L^H, unit lower L of order x.cols <= unfactor_block.
template <class T>
void multiply_right_unit_lower(DenseView<const T> l, bool adjoint, DenseView<T> x) {
    for (index_t j = x.cols - 1; j > 0; --j)
        add_columns_before(x, j, [&](index_t p) { return conjugate_if(adjoint, l(j, p)); });
}

/// X := X U, upper triangular U of order x.cols <= unfactor_block.
template <class T>
void multiply_right_upper(DenseView<const T> u, DenseView<T> x) {
    for (index_t j = x.cols - 1; j >= 0; --j) {
        T* column = x.column(j);
        for (index_t i = 0; i < x.rows; ++i) column[i] = multiply(column[i], u(j, j));
        add_columns_before(x, j, [&](index_t p) { return u(p, j); });
    }
}

/// X := L X, unit lower L of order x.rows <= unfactor_block, by halves.
template <class T>
void multiply_left_unit_lower(DenseView<const T> l, DenseView<T> x) {
    constexpr index_t smallest = 4;
    const index_t n = x.rows, n1 = n / 2, n2 = n - n1;
    if (n > smallest) {
        const auto upper = x.block(0, 0, n1, x.cols), lower = x.block(n1, 0, n2, x.cols);
        multiply_left_unit_lower(l.block(n1, n1, n2, n2), lower);
        const Negated<T, unfactor_block * unfactor_block> l21(l.block(n1, 0, n2, n1));
        update_general<T>(l21.view(), upper, lower);
        multiply_left_unit_lower(l.block(0, 0, n1, n1), upper);
        return;
    }
    for (index_t j = 0; j < x.cols; ++j) {
        T* column = x.column(j);
        for (index_t p = n - 2; p >= 0; --p)
            for (index_t i = p + 1; i < n; ++i) column[i] += multiply(l(i, p), column[p]);
    }
}

}  // namespace frond::cpu

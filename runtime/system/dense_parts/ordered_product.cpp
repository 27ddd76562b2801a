// SPDX-License-Identifier: BSD-3-Clause
#include "system/dense_parts/ordered_product.hpp"

#include <cmath>
#include <vector>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

/// Sums that stay in registers at one time.
constexpr index_t rows_at_once = 8, columns_at_once = 2;

/// acc + a x, without the test for NaN that std::complex has.
template <class T>
T plus_product(T acc, T a, T x) {
    if constexpr (is_complex<T>)
        return T(acc.real() + a.real() * x.real() - a.imag() * x.imag(),
                 acc.imag() + a.real() * x.imag() + a.imag() * x.real());
    else
        return acc + a * x;
}

/// s [Rows, Columns] += a x.
template <index_t Rows, index_t Columns, class T>
void add_corner(DenseView<const T> a, index_t i, DenseView<const T> x, index_t k, DenseView<T> s) {
    T acc[Rows * Columns];
    for (index_t c = 0; c < Columns; ++c)
        for (index_t r = 0; r < Rows; ++r) acc[r + c * Rows] = s(i + r, k + c);
    for (index_t j = 0; j < a.cols; ++j) {
        const T* const column = a.column(j) + i;
        for (index_t c = 0; c < Columns; ++c) {
            const T xj = x(j, k + c);
            for (index_t r = 0; r < Rows; ++r) acc[r + c * Rows] = plus_product(acc[r + c * Rows], column[r], xj);
        }
    }
    for (index_t c = 0; c < Columns; ++c)
        for (index_t r = 0; r < Rows; ++r) s(i + r, k + c) = acc[r + c * Rows];
}

template <index_t Columns, class T>
void add_strip(DenseView<const T> a, DenseView<const T> x, index_t k, DenseView<T> s) {
    index_t i = 0;
    for (; i + rows_at_once <= a.rows; i += rows_at_once) add_corner<rows_at_once, Columns>(a, i, x, k, s);
    for (; i < a.rows; ++i) add_corner<1, Columns>(a, i, x, k, s);
}

template <class T>
void add_product(DenseView<const T> a, DenseView<const T> x, DenseView<T> s) {
    index_t k = 0;
    for (; k + columns_at_once <= x.cols; k += columns_at_once) add_strip<columns_at_once>(a, x, k, s);
    for (; k < x.cols; ++k) add_strip<1>(a, x, k, s);
}

template <class T>
std::vector<real_t<T>> sizes_of(DenseView<const T> a) {
    std::vector<real_t<T>> sizes;
    sizes.reserve(at(a.rows) * at(a.cols));
    for (index_t j = 0; j < a.cols; ++j)
        for (index_t i = 0; i < a.rows; ++i) sizes.push_back(std::abs(a(i, j)));
    return sizes;
}

}  // namespace

template <class T>
void add_ordered_product(DenseView<const T> a, DenseView<const T> x, DenseView<T> s, DenseView<real_t<T>> w) {
    using Real = real_t<T>;
    const std::vector<Real> a_sizes = sizes_of(a), x_sizes = sizes_of(x);
    add_product(a, x, s);
    add_product<Real>({a_sizes.data(), a.rows, a.cols, std::max(a.rows, 1)},
                      {x_sizes.data(), x.rows, x.cols, std::max(x.rows, 1)}, w);
}

#define FROND_INSTANTIATE(T) \
    template void add_ordered_product<T>(DenseView<const T>, DenseView<const T>, DenseView<T>, DenseView<real_t<T>>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

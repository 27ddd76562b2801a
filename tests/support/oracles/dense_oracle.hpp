// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices in extended precision, by textbook loops: the oracle of the sparse code.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/cpu/dense_view.hpp"

#include <cmath>
#include <complex>
#include <utility>
#include <vector>

namespace frond::test {

using Wide = std::complex<long double>;

struct DenseMatrix {
    index_t rows = 0;
    index_t cols = 0;
    std::vector<Wide> data;

    DenseMatrix(index_t m, index_t n)
        : rows(m), cols(n), data(static_cast<std::size_t>(m) * static_cast<std::size_t>(n)) {}

    Wide& operator()(index_t i, index_t j) {
        return data[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(rows)];
    }

    const Wide& operator()(index_t i, index_t j) const { return const_cast<DenseMatrix&>(*this)(i, j); }
};

template <class T>
Wide widen(T x) {
    if constexpr (is_complex<T>)
        return Wide(x.real(), x.imag());
    else
        return Wide(x);
}

/// A with both triangles.
template <class T>
DenseMatrix dense(const SparseMatrix<T>& a) {
    DenseMatrix d(a.rows(), a.cols());
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e) {
            const index_t i = a.pattern.row[static_cast<std::size_t>(e)];
            const Wide v = widen(a.value[static_cast<std::size_t>(e)]);
            d(i, j) = v;
            if (a.symmetry == Symmetry::symmetric) d(j, i) = v;
            if (a.symmetry == Symmetry::hermitian && i != j) d(j, i) = std::conj(v);
        }
    return d;
}

/// A(row_order, column_order).
inline DenseMatrix permuted(const DenseMatrix& a, const std::vector<index_t>& row_order,
                            const std::vector<index_t>& column_order) {
    DenseMatrix b(a.rows, a.cols);
    for (index_t j = 0; j < a.cols; ++j)
        for (index_t i = 0; i < a.rows; ++i)
            b(i, j) = a(row_order[static_cast<std::size_t>(i)], column_order[static_cast<std::size_t>(j)]);
    return b;
}

inline DenseMatrix apply_operation(const DenseMatrix& a, Operation op) {
    if (op == Operation::none) return a;
    DenseMatrix b(a.cols, a.rows);
    for (index_t j = 0; j < a.cols; ++j)
        for (index_t i = 0; i < a.rows; ++i) b(j, i) = op == Operation::adjoint ? std::conj(a(i, j)) : a(i, j);
    return b;
}

/// A(rows, columns).
inline DenseMatrix submatrix(const DenseMatrix& a, const std::vector<index_t>& rows,
                             const std::vector<index_t>& columns) {
    DenseMatrix b(static_cast<index_t>(rows.size()), static_cast<index_t>(columns.size()));
    for (index_t j = 0; j < b.cols; ++j)
        for (index_t i = 0; i < b.rows; ++i)
            b(i, j) = a(rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
    return b;
}

template <class T>
DenseMatrix widened(DenseView<T> x) {
    DenseMatrix b(x.rows, x.cols);
    for (index_t j = 0; j < x.cols; ++j)
        for (index_t i = 0; i < x.rows; ++i) b(i, j) = widen(x(i, j));
    return b;
}

/// C := C + alpha A B
inline DenseMatrix multiply_add(long double alpha, const DenseMatrix& a, const DenseMatrix& b, DenseMatrix c) {
    for (index_t j = 0; j < c.cols; ++j)
        for (index_t k = 0; k < a.cols; ++k)
            for (index_t i = 0; i < c.rows; ++i) c(i, j) += alpha * a(i, k) * b(k, j);
    return c;
}

/// Row and column swaps of Gaussian elimination with partial pivoting at step k.
inline void swap_pivot_row(DenseMatrix& a, DenseMatrix& b, index_t k) {
    index_t p = k;
    for (index_t i = k + 1; i < a.rows; ++i)
        if (std::abs(a(i, k)) > std::abs(a(p, k))) p = i;
    for (index_t j = 0; j < a.cols; ++j) std::swap(a(k, j), a(p, j));
    for (index_t j = 0; j < b.cols; ++j) std::swap(b(k, j), b(p, j));
}

/// A^-1 B
inline DenseMatrix solve_dense(DenseMatrix a, DenseMatrix b) {
    for (index_t k = 0; k < a.rows; ++k) {
        swap_pivot_row(a, b, k);
        for (index_t i = k + 1; i < a.rows; ++i) {
            const Wide l = a(i, k) / a(k, k);
            if (l == Wide(0)) continue;
            for (index_t j = k; j < a.cols; ++j) a(i, j) -= l * a(k, j);
            for (index_t j = 0; j < b.cols; ++j) b(i, j) -= l * b(k, j);
        }
    }
    for (index_t j = 0; j < b.cols; ++j)
        for (index_t i = a.rows - 1; i >= 0; --i) {
            for (index_t k = i + 1; k < a.cols; ++k) b(i, j) -= a(i, k) * b(k, j);
            b(i, j) /= a(i, i);
        }
    return b;
}

inline double largest(const DenseMatrix& a) {
    long double m = 0;
    for (const Wide& v : a.data) m = !(std::abs(v) <= m) ? std::abs(v) : m;  // NaN stays
    return static_cast<double>(m);
}

/// max |a_ij - b_ij|
inline double largest_difference(const DenseMatrix& a, const DenseMatrix& b) {
    DenseMatrix c = a;
    for (std::size_t e = 0; e < c.data.size(); ++e) c.data[e] -= b.data[e];
    return largest(c);
}

/// ||A||_inf
inline double row_sum_norm(const DenseMatrix& a) {
    long double norm = 0;
    for (index_t i = 0; i < a.rows; ++i) {
        long double sum = 0;
        for (index_t j = 0; j < a.cols; ++j) sum += std::abs(a(i, j));
        norm = std::max(norm, sum);
    }
    return static_cast<double>(norm);
}

}  // namespace frond::test

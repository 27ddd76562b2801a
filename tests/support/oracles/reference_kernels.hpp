// SPDX-License-Identifier: BSD-3-Clause
// Slow clear oracle for dense kernels: plain loops in a wider type. Kernels are checked by what
// they promise (L L^H = A, X U = B), as residuals relative to the sum of magnitudes of the terms.
#pragma once

#include "frond/base/types.hpp"

#include <cmath>
#include <complex>
#include <vector>

namespace frond::reference {

/// double for float, long double for double.
template <class T>
using WideReal = std::conditional_t<sizeof(real_t<T>) == 4, double, long double>;

template <class T>
using Wide = std::conditional_t<is_complex<T>, std::complex<WideReal<T>>, WideReal<T>>;

template <class T>
Wide<T> widen(T x) {
    if constexpr (is_complex<T>)
        return Wide<T>(x.real(), x.imag());
    else
        return x;
}

/// a b; complex products without the repair of NaN parts, which takes most of the time.
template <class W>
W wide_product(W a, W b) {
    if constexpr (is_complex<W>)
        return W(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    else
        return a * b;
}

/// A full matrix in the wide type with, beside each entry, the sum of magnitudes it was made from.
template <class T>
class Matrix {
public:
    Matrix(index_t rows, index_t cols)
        : rows_(rows),
          cols_(cols),
          value_(static_cast<std::size_t>(rows) * cols),
          size_(static_cast<std::size_t>(rows) * cols) {}

    /// entry(i, j) -> T
    template <class Entry>
    static Matrix from(index_t rows, index_t cols, Entry entry) {
        Matrix a(rows, cols);
        for (index_t j = 0; j < cols; ++j)
            for (index_t i = 0; i < rows; ++i) a.set(i, j, widen<T>(entry(i, j)));
        return a;
    }

    void set(index_t i, index_t j, Wide<T> x) {
        value_[at(i, j)] = x;
        size_[at(i, j)] = static_cast<double>(std::abs(x));
    }

    Wide<T> operator()(index_t i, index_t j) const { return value_[at(i, j)]; }

    double size(index_t i, index_t j) const { return size_[at(i, j)]; }

    index_t rows() const { return rows_; }

    index_t cols() const { return cols_; }

    Matrix transposed(bool conjugated) const {
        Matrix t(cols_, rows_);
        for (index_t j = 0; j < cols_; ++j)
            for (index_t i = 0; i < rows_; ++i) {
                const Wide<T> x = (*this)(i, j);
                if constexpr (is_complex<T>)
                    t.set(j, i, conjugated ? std::conj(x) : x);
                else
                    t.set(j, i, x);
            }
        return t;
    }

    friend Matrix operator*(const Matrix& a, const Matrix& b) {
        Matrix c(a.rows_, b.cols_);
        for (index_t j = 0; j < b.cols_; ++j)
            for (index_t p = 0; p < a.cols_; ++p) {
                const Wide<T> x = b(p, j);
                if (x == Wide<T>(0)) continue;
                for (index_t i = 0; i < a.rows_; ++i) {
                    c.value_[c.at(i, j)] += wide_product(a(i, p), x);
                    c.size_[c.at(i, j)] += a.size(i, p) * b.size(p, j);
                }
            }
        return c;
    }

    friend Matrix operator-(const Matrix& a, const Matrix& b) { return sum(a, b, -1); }

    friend Matrix operator+(const Matrix& a, const Matrix& b) { return sum(a, b, 1); }

private:
    static Matrix sum(const Matrix& a, const Matrix& b, int sign) {
        Matrix c = a;
        for (std::size_t i = 0; i < c.value_.size(); ++i) {
            c.value_[i] += static_cast<WideReal<T>>(sign) * b.value_[i];
            c.size_[i] += b.size_[i];
        }
        return c;
    }

    std::size_t at(index_t i, index_t j) const {
        return static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * rows_;
    }

    index_t rows_, cols_;
    std::vector<Wide<T>> value_;
    std::vector<double> size_;
};

/// Largest |a - b| / (size of a + size of b) over entries for which wanted(i, j); infinity for NaN.
template <class T, class Wanted>
double relative_difference(const Matrix<T>& a, const Matrix<T>& b, Wanted wanted) {
    double worst = 0;
    for (index_t j = 0; j < a.cols(); ++j)
        for (index_t i = 0; i < a.rows(); ++i) {
            if (!wanted(i, j)) continue;
            const auto difference = static_cast<double>(std::abs(a(i, j) - b(i, j)));
            if (difference == 0) continue;
            const double ratio = difference / (a.size(i, j) + b.size(i, j));
            if (!(ratio <= worst)) worst = std::isnan(ratio) ? HUGE_VAL : ratio;
        }
    return worst;
}

template <class T>
double relative_difference(const Matrix<T>& a, const Matrix<T>& b) {
    return relative_difference(a, b, [](index_t, index_t) { return true; });
}

/// Symmetric or Hermitian matrix from a stored lower triangle.
template <class T, class Lower>
Matrix<T> mirrored(index_t n, bool hermitian, Lower lower) {
    return Matrix<T>::from(n, n, [&](index_t i, index_t j) {
        if (i > j) return T(lower(i, j));
        if (i < j) return hermitian ? conjugate<T>(lower(j, i)) : T(lower(j, i));
        return hermitian ? T(real_part<T>(lower(i, i))) : T(lower(i, i));
    });
}

/// Triangles of a stored block; unit: ones on the diagonal whatever is stored.
template <class T, class Entry>
Matrix<T> lower_triangle(index_t rows, index_t cols, bool unit, Entry entry) {
    return Matrix<T>::from(rows, cols, [&](index_t i, index_t j) {
        if (i == j && unit) return T(1);
        return i >= j ? T(entry(i, j)) : T(0);
    });
}

template <class T, class Entry>
Matrix<T> upper_triangle(index_t n, Entry entry) {
    return Matrix<T>::from(n, n, [&](index_t i, index_t j) { return i <= j ? T(entry(i, j)) : T(0); });
}

/// D [n, n] from pivots [2, n].
template <class T>
Matrix<T> block_diagonal(index_t n, bool hermitian, const T* pivots) {
    Matrix<T> d(n, n);
    for (index_t k = 0; k < n; ++k) {
        d.set(k, k, widen<T>(pivots[2 * k]));
        const T e = pivots[2 * k + 1];
        if (k + 1 == n || e == T(0)) continue;
        d.set(k + 1, k, widen<T>(e));
        d.set(k, k + 1, widen<T>(hermitian ? conjugate(e) : e));
    }
    return d;
}

/// (P A)(k, :) = A(perm[k], :)
template <class T>
Matrix<T> rows_permuted(const Matrix<T>& a, const std::vector<index_t>& perm) {
    Matrix<T> p(a.rows(), a.cols());
    for (index_t j = 0; j < a.cols(); ++j)
        for (index_t k = 0; k < a.rows(); ++k) p.set(k, j, a(perm[static_cast<std::size_t>(k)], j));
    return p;
}

}  // namespace frond::reference

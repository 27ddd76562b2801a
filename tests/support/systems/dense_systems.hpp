// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices in the caller's memory, with a leading dimension, and what they are solved by: LAPACK's drivers.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "frond/matrix/dense_matrix_view.hpp"

extern "C" {
#define FROND_LAPACK_DRIVERS(letter, T)                                                                                \
    void letter##gesv_(const int* n, const int* rhs, T* a, const int* lda, int* pivots, T* b, const int* ldb,          \
                       int* info);                                                                                     \
    void letter##posv_(const char* triangle, const int* n, const int* rhs, T* a, const int* lda, T* b, const int* ldb, \
                       int* info);                                                                                     \
    void letter##sysv_(const char* triangle, const int* n, const int* rhs, T* a, const int* lda, int* pivots, T* b,    \
                       const int* ldb, T* work, const int* work_size, int* info);
FROND_LAPACK_DRIVERS(s, float)
FROND_LAPACK_DRIVERS(d, double)
FROND_LAPACK_DRIVERS(c, std::complex<float>)
FROND_LAPACK_DRIVERS(z, std::complex<double>)
#undef FROND_LAPACK_DRIVERS
}

namespace frond::test {

/// x by LAPACK: L U with partial pivoting; L L^H; L D L^T by Bunch and Kaufman. @pre real T, or no L D L^H
template <class T>
std::vector<T> lapack_solution(Factorization kind, int n, std::vector<T> a, std::vector<T> b) {
    std::vector<int> pivots(b.size());
    std::vector<T> work(static_cast<std::size_t>(64 * n));
    const int rhs = static_cast<int>(b.size()) / n, work_size = 64 * n;
    int info = 0;
#define FROND_CALL_LAPACK(letter, S)                                                                                 \
    if constexpr (std::is_same_v<T, S>) {                                                                            \
        if (kind == Factorization::lu) letter##gesv_(&n, &rhs, a.data(), &n, pivots.data(), b.data(), &n, &info);    \
        if (kind == Factorization::llt) letter##posv_("L", &n, &rhs, a.data(), &n, b.data(), &n, &info);             \
        if (kind == Factorization::ldlt)                                                                             \
            letter##sysv_("L", &n, &rhs, a.data(), &n, pivots.data(), b.data(), &n, work.data(), &work_size, &info); \
    }
    FROND_CALL_LAPACK(s, float)
    FROND_CALL_LAPACK(d, double)
    FROND_CALL_LAPACK(c, std::complex<float>)
    FROND_CALL_LAPACK(z, std::complex<double>)
#undef FROND_CALL_LAPACK
    if (info != 0) b.assign(b.size(), T(std::numeric_limits<real_t<T>>::quiet_NaN()));
    return b;
}

/// Uniform in [-1, 1), imaginary parts too.
template <class T>
std::vector<T> random_values(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto next = [&random] { return static_cast<real_t<T>>(static_cast<double>(random() >> 11) * 0x1p-52 - 1); };
    std::vector<T> values(count);
    for (T& v : values) {
        if constexpr (is_complex<T>)
            v = T(next(), next());
        else
            v = next();
    }
    return values;
}

/// An order-n matrix with both triangles, ld = n; and the caller's array of it, ld > n, with NaN where nobody may read.
template <class T>
struct DenseSystem {
    index_t n = 0;
    Symmetry symmetry = Symmetry::general;
    std::vector<T> a;  // [n * n]

    T& operator()(index_t i, index_t j) {
        return a[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(n)];
    }

    static DenseSystem random(index_t n, Symmetry symmetry, std::uint64_t seed, double diagonal = 0) {
        DenseSystem s{n, symmetry, random_values<T>(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), seed)};
        for (index_t j = 0; j < n; ++j) {
            for (index_t i = j; i < n && symmetry != Symmetry::general; ++i)
                s(j, i) = symmetry == Symmetry::hermitian ? conjugate(s(i, j)) : s(i, j);
            if (symmetry == Symmetry::hermitian) s(j, j) = T(real_part(s(j, j)));
            s(j, j) += T(static_cast<real_t<T>>(diagonal));
        }
        return s;
    }

    std::vector<T> array(count_t ld, Triangle stored = Triangle::both) {
        const T nothing(std::numeric_limits<real_t<T>>::quiet_NaN());
        std::vector<T> values(static_cast<std::size_t>(ld) * static_cast<std::size_t>(n), nothing);
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < n; ++i) {
                const bool there = stored == Triangle::both || (stored == Triangle::lower ? i >= j : i <= j);
                if (there) values[static_cast<std::size_t>(i + ld * j)] = (*this)(i, j);
            }
        return values;
    }

    /// max_i |b - op(A) x|_i / (|op(A)| |x| + |b|)_i, in double precision.
    double error(Operation op, const T* x, const T* b) {
        double worst = 0;
        for (index_t i = 0; i < n; ++i) {
            std::complex<double> r(b[i]);
            double weight = std::abs(r);
            for (index_t j = 0; j < n; ++j) {
                const T entry = op == Operation::none ? (*this)(i, j) : (*this)(j, i);
                const std::complex<double> product =
                    std::complex<double>(op == Operation::adjoint ? conjugate(entry) : entry) *
                    std::complex<double>(x[j]);
                r -= product;
                weight += std::abs(product);
            }
            if (weight > 0) worst = std::max(worst, std::abs(r) / weight);
        }
        return worst;
    }
};

}  // namespace frond::test

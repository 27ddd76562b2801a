// SPDX-License-Identifier: BSD-3-Clause
// Determinant (in extended precision) and inertia (from eigenvalues) of small dense matrices.
#pragma once

#include "dense_oracle.hpp"
#include "frond/reports.hpp"

#include <cmath>
#include <stdexcept>

extern "C" void zheev_(const char* job, const char* triangle, const int* n, std::complex<double>* a, const int* lda,
                       double* eigenvalue, std::complex<double>* work, const int* work_size, double* real_work,
                       int* info);

namespace frond::test {

struct DenseDeterminant {
    long double log_abs = 0;
    Wide phase = 1;
};

/// Gaussian elimination with partial pivoting.
inline DenseDeterminant dense_determinant(DenseMatrix a) {
    DenseDeterminant d;
    DenseMatrix nothing(a.rows, 0);
    for (index_t k = 0; k < a.rows; ++k) {
        index_t p = k;
        for (index_t i = k + 1; i < a.rows; ++i)
            if (std::abs(a(i, k)) > std::abs(a(p, k))) p = i;
        if (p != k) d.phase = -d.phase;
        swap_pivot_row(a, nothing, k);
        d.log_abs += std::log(std::abs(a(k, k)));
        d.phase *= a(k, k) / std::abs(a(k, k));
        for (index_t i = k + 1; i < a.rows; ++i) {
            const Wide l = a(i, k) / a(k, k);
            for (index_t j = k; j < a.cols; ++j) a(i, j) -= l * a(k, j);
        }
    }
    return d;
}

/// Signs of the eigenvalues of a Hermitian matrix; |eigenvalue| <= tolerance * ||A||_inf is zero.
inline Inertia dense_inertia(const DenseMatrix& a, double tolerance) {
    const int n = a.rows, work_size = 64 * n + 64;
    std::vector<std::complex<double>> copy(a.data.begin(), a.data.end()), work(work_size);
    std::vector<double> eigenvalue(n), real_work(3 * n);
    int info = 0;
    zheev_("N", "L", &n, copy.data(), &n, eigenvalue.data(), work.data(), &work_size, real_work.data(), &info);
    if (info != 0) throw std::runtime_error("zheev failed");
    const double limit = tolerance * row_sum_norm(a);
    Inertia inertia;
    for (const double e : eigenvalue)
        ++(std::abs(e) <= limit ? inertia.zero : e < 0 ? inertia.negative : inertia.positive);
    return inertia;
}

}  // namespace frond::test

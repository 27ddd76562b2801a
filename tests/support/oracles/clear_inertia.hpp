// SPDX-License-Identifier: BSD-3-Clause
// Inertia of small real symmetric matrices from all their eigenvalues, where those leave no doubt.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"
#include "frond/reports.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

extern "C" void dsyev_(const char* job, const char* triangle, const int* n, double* a, const int* lda,
                       double* eigenvalue, double* work, const int* work_size, int* info);

namespace frond::test {

/// S A S dense, the lower triangle: the largest entry of each row tends to 1 (Ruiz 2001). Its inertia is
/// that of A (Sylvester).
inline std::vector<double> equilibrated_lower(const SparseMatrix<double>& a) {
    constexpr int rounds = 10;
    const auto n = static_cast<std::size_t>(a.rows());
    std::vector<double> scale(n, 1.0), dense(n * n, 0.0);
    const auto each = [&](auto&& visit) {
        for (std::size_t j = 0; j < n; ++j)
            for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e)
                visit(static_cast<std::size_t>(a.pattern.row[static_cast<std::size_t>(e)]), j,
                      a.value[static_cast<std::size_t>(e)]);
    };
    for (int round = 0; round < rounds; ++round) {
        std::vector<double> largest(n, 0.0);
        each([&](std::size_t i, std::size_t j, double v) {
            const double size = std::abs(scale[i] * v * scale[j]);
            largest[i] = std::max(largest[i], size);
            largest[j] = std::max(largest[j], size);
        });
        for (std::size_t i = 0; i < n; ++i)
            if (largest[i] > 0) scale[i] /= std::sqrt(largest[i]);
    }
    each([&](std::size_t i, std::size_t j, double v) { dense[i + j * n] = scale[i] * v * scale[j]; });
    return dense;
}

inline std::vector<double> eigenvalues_of_lower(std::vector<double> a, int n) {
    const int work_size = 64 * n + 64;
    std::vector<double> eigenvalue(static_cast<std::size_t>(n)), work(static_cast<std::size_t>(work_size));
    int info = 0;
    dsyev_("N", "L", &n, a.data(), &n, eigenvalue.data(), work.data(), &work_size, &info);
    if (info != 0) throw std::runtime_error("dsyev failed");
    return eigenvalue;
}

/// Eigenvalues of the equilibrated matrix at most 10 n eps times the largest are zeros: dsyev's errors are
/// some n eps (LAPACK Users' Guide, section 4.7). Empty: A is not symmetric, has
/// more than `largest_rows` rows, or an eigenvalue lies between that bound and 1e5 times it.
inline std::optional<Inertia> clear_inertia(const SparseMatrix<double>& a, index_t largest_rows = 1200) {
    constexpr double gap = 1e5;
    if (a.symmetry == Symmetry::general || a.rows() == 0 || a.rows() > largest_rows) return std::nullopt;
    const std::vector<double> all = eigenvalues_of_lower(equilibrated_lower(a), a.rows());
    const double norm = std::max(std::abs(all.front()), std::abs(all.back()));
    const double zero = 10.0 * a.rows() * std::numeric_limits<double>::epsilon() * norm;
    Inertia inertia;
    for (const double e : all) {
        if (std::abs(e) > zero && std::abs(e) <= gap * zero) return std::nullopt;
        ++(std::abs(e) <= zero ? inertia.zero : e < 0 ? inertia.negative : inertia.positive);
    }
    return inertia;
}

}  // namespace frond::test

// SPDX-License-Identifier: BSD-3-Clause
// Errors of a computed solution, measured with dense matrices in extended precision.
#pragma once

#include "dense_oracle.hpp"
#include "rhs_block.hpp"

#include <algorithm>

namespace frond::test {

template <class T>
DenseMatrix widened(const RhsBlock<T>& x) {
    DenseMatrix b(x.rows(), x.cols());
    for (index_t j = 0; j < x.cols(); ++j)
        for (index_t i = 0; i < x.rows(); ++i) b(i, j) = widen(x(i, j));
    return b;
}

inline DenseMatrix magnitudes(const DenseMatrix& a) {
    DenseMatrix m(a.rows, a.cols);
    for (std::size_t e = 0; e < a.data.size(); ++e) m.data[e] = std::abs(a.data[e]);
    return m;
}

/// |A| |X| + |B|
inline DenseMatrix weights(const DenseMatrix& a, const DenseMatrix& x, const DenseMatrix& b) {
    return multiply_add(1, magnitudes(a), magnitudes(x), magnitudes(b));
}

/// max_ij |B - A X|_ij / (|A| |X| + |B|)_ij (Oettli & Prager 1964); NaN stays.
inline double componentwise_error(const DenseMatrix& a, const DenseMatrix& x, const DenseMatrix& b) {
    const DenseMatrix r = multiply_add(-1, a, x, b), w = weights(a, x, b);
    long double worst = 0;
    for (std::size_t e = 0; e < r.data.size(); ++e) {
        if (r.data[e] == Wide(0)) continue;
        const long double error = std::abs(r.data[e]) / std::abs(w.data[e]);
        if (!(error <= worst)) worst = error;
    }
    return static_cast<double>(worst);
}

/// The rule of Arioli, Demmel & Duff 1989 (section 4): where the denominator of componentwise_error
/// is not above 1000 n eps (|A| s ||S^-1 x||_inf + |b|)_i, it is (|A| |x| + |A| s ||S^-1
/// x||_inf)_i. scale s [n]: empty for s = e.
inline double relaxed_componentwise_error(const DenseMatrix& a, const DenseMatrix& x, const DenseMatrix& b,
                                          const std::vector<double>& scale, double eps) {
    const auto s = [&](index_t i) {
        return scale.empty() ? 1.0L : static_cast<long double>(scale[static_cast<std::size_t>(i)]);
    };
    const DenseMatrix r = multiply_add(-1, a, x, b), w = weights(a, x, b);
    // 1.001: what is equal but for rounding may fall on either side.
    const long double tiny = 1.001L * std::min(1000.0 * a.rows * eps, 1e-3);
    long double worst = 0;
    for (index_t k = 0; k < x.cols; ++k) {
        long double size = 0;
        for (index_t j = 0; j < a.cols; ++j) size = std::max(size, std::abs(x(j, k)) / s(j));
        for (index_t i = 0; i < a.rows; ++i) {
            if (r(i, k) == Wide(0)) continue;
            long double row = 0;
            for (index_t j = 0; j < a.cols; ++j) row += std::abs(a(i, j)) * s(j) * size;
            const long double weight = std::abs(w(i, k)), bi = std::abs(b(i, k));
            const long double denominator = weight > tiny * (row + bi) ? weight : std::max(weight - bi + row, bi);
            const long double error = std::abs(r(i, k)) / denominator;
            if (!(error <= worst)) worst = error;
        }
    }
    return static_cast<double>(worst);
}

/// max_j ||B - A X||_inf / (||A||_inf ||X||_inf + ||B||_inf) of the columns.
inline double normwise_error(const DenseMatrix& a, const DenseMatrix& x, const DenseMatrix& b) {
    const DenseMatrix r = multiply_add(-1, a, x, b);
    const double norm = row_sum_norm(a);
    double worst = 0;
    for (index_t j = 0; j < x.cols; ++j) {
        long double rj = 0, xj = 0, bj = 0;
        for (index_t i = 0; i < x.rows; ++i) {
            rj = std::max(rj, std::abs(r(i, j)));
            xj = std::max(xj, std::abs(x(i, j)));
            bj = std::max(bj, std::abs(b(i, j)));
        }
        if (rj > 0) worst = std::max(worst, static_cast<double>(rj / (norm * xj + bj)));
    }
    return worst;
}

/// Largest |X - X_ref|_ij / (|A^-1| (|A| |X| + |B|))_ij: at most the componentwise backward error,
/// since X - X_ref = -A^-1 R. Above it the residual was not that of this system.
inline double forward_ratio(const DenseMatrix& a, const DenseMatrix& x, const DenseMatrix& b) {
    DenseMatrix unit(a.rows, a.rows);
    for (index_t i = 0; i < a.rows; ++i) unit(i, i) = 1;
    const DenseMatrix inverse = solve_dense(a, unit);
    const DenseMatrix reference = multiply_add(1, inverse, b, DenseMatrix(x.rows, x.cols));
    const DenseMatrix bound = multiply_add(1, magnitudes(inverse), weights(a, x, b), DenseMatrix(x.rows, x.cols));
    long double worst = 0;
    for (std::size_t e = 0; e < x.data.size(); ++e) {
        const long double ratio = std::abs(x.data[e] - reference.data[e]) / std::abs(bound.data[e]);
        if (!(ratio <= worst)) worst = ratio;
    }
    return static_cast<double>(worst);
}

}  // namespace frond::test

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cmath>

#include "frond/base/error.hpp"
#include "frond/cpu/dense_view.hpp"
#include "system/largest_magnitude.hpp"

namespace frond::detail {

template <class T>
double two_norm(const T* x, index_t n) {
    Largest largest;
    for (index_t i = 0; i < n; ++i) largest.see(magnitude(x[i]));
    const double size = largest.value();
    if (size == 0 || !std::isfinite(size)) return size;
    double sum = 0;
    for (index_t i = 0; i < n; ++i) sum += std::pow(magnitude(x[i]) / size, 2);
    return size * std::sqrt(sum);
}

template <class T>
void scale_to_unit(T* x, index_t n) {
    const double norm = two_norm(x, n);
    for (index_t i = 0; i < n && norm > 0; ++i) x[i] /= static_cast<real_t<T>>(norm);
}

/// Takes the parts along columns 0 .. j - 1, of length 1, off column j, one after the other.
template <class T>
void subtract_projections(DenseView<T> z, index_t j) {
    T* const zj = z.column(j);
    for (index_t k = 0; k < j; ++k) {
        const T* const zk = z.column(k);
        T product(0);
        for (index_t i = 0; i < z.rows; ++i) product += conjugate(zk[i]) * zj[i];
        for (index_t i = 0; i < z.rows; ++i) zj[i] -= product * zk[i];
    }
}

/// Modified Gram-Schmidt, twice (Giraud, Langou & Rozloznik 2005: orthogonal to working accuracy), and again as long as a
/// vector loses more than half of its length (Daniel, Gragg, Kaufman & Stewart 1976): where one unknown is far larger than
/// the others, the vectors differ by less than rounding before that is gone.
template <class T>
void orthonormalise(DenseView<T> z, const std::atomic<bool>* cancel) {
    constexpr int least_passes = 2, most_passes = 40;  // each takes at least some 16 digits, of the 600 of doubles
    for (index_t j = 0; j < z.cols; ++j) {
        if (cancel != nullptr && cancel->load(std::memory_order_relaxed))
            throw Cancelled("the null space was cancelled while its basis was orthonormalised");
        T* const zj = z.column(j);
        scale_to_unit(zj, z.rows);
        double before = 1, after = 1;
        for (int pass = 0; pass < most_passes && (pass < least_passes || after < before / 2); ++pass) {
            if (pass >= least_passes) scale_to_unit(zj, z.rows);
            before = pass >= least_passes ? 1 : after;
            subtract_projections(z, j);
            after = two_norm(zj, z.rows);
        }
        scale_to_unit(zj, z.rows);
    }
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>

#include "frond/cpu/log_product.hpp"
#include "frond/cpu/second_pass.hpp"
#include "frond/cpu/threshold.hpp"

namespace frond::gpu {

/// What n pivots that were eliminated on a device say. pivots, in host memory: the diagonal [n] of L or U, or D
/// of L D L^T as [2, n].
template <class T>
PivotReport count_eliminated(Factorization kind, index_t n, const T* pivots) {
    PivotReport counted;
    if (kind != Factorization::llt) {
        // Entry (k, k) of a view with leading dimension 0 is entry k.
        cpu::count_pivots<T>(kind, n, {pivots, n, n, 0}, pivots, counted);
        return counted;
    }
    counted.positive = n;
    cpu::LogProduct product;
    for (index_t k = 0; k < n; ++k) {
        const double l = static_cast<double>(std::real(pivots[k]));
        product.multiply_by(l);
        counted.sizes.see(l * l);
    }
    counted.log_abs_determinant = 2 * product.value();
    return counted;
}

}  // namespace frond::gpu

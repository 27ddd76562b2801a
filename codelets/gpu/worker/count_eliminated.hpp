// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <vector>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/base/vector_index.hpp"
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

/// Counts many pivots by chunks, which depend on the number of pivots alone and do not divide a 2 x 2 pivot.
template <class T>
PivotReport count_eliminated(Factorization kind, index_t n, const T* pivots, const ParallelFor& parallel_for) {
    constexpr index_t columns_of_chunk = 1 << 15;
    const bool in_pairs = has_block_diagonal(kind);
    std::vector<index_t> cut{0};
    for (index_t k = columns_of_chunk; k < n; k += columns_of_chunk)
        cut.push_back(in_pairs && pivots[2 * k - 1] != T(0) ? k + 1 : k);
    cut.push_back(n);
    std::vector<PivotReport> parts(cut.size() - 1);
    parallel_for(static_cast<count_t>(parts.size()), [&](count_t c) {
        const index_t first = cut[at(c)];
        parts[at(c)] = count_eliminated(kind, cut[at(c) + 1] - first, pivots + (in_pairs ? 2 * first : first));
    });
    PivotReport counted;
    for (const PivotReport& part : parts) counted += part;
    return counted;
}

}  // namespace frond::gpu

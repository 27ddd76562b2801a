// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/flop_counts.hpp"
#include "frond/cpu/second_pass.hpp"

namespace frond {

/// Second pass, without the contribution block: `pivots` columns of f with r rows below them; a column
/// with w columns to its right takes w + r divisions and two operations for each entry updated.
constexpr double second_pass_symmetric_flops(double f, double r, double pivots) {
    double sum = 0;
    for (double w = f - 1; w >= f - pivots; --w) sum += w + r + w * (w + 1) + 2 * w * r;
    return sum;
}
/// The same for LU with m rows that may be pivots; r is also the number of columns to the right.
constexpr double second_pass_lu_flops(double m, double f, double r, double pivots) {
    double sum = 0;
    for (double p = 1; p <= pivots; ++p) sum += (m + r - p) * (1 + 2 * (f - p)) + 2 * (m - p) * r;
    return sum;
}

/// Operations (of a real scalar) of the second pass that left `l`, without the contribution block.
template <class T>
double second_pass_flops(Factorization kind, const cpu::SecondPass<T>& l) {
    return kind == Factorization::lu ? second_pass_lu_flops(l.rows(), l.cols(), l.ncb, l.kept)
                                     : second_pass_symmetric_flops(l.cols(), l.ncb, l.kept) + l.search_flops;
}

}  // namespace frond

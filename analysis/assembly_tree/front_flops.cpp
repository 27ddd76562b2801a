// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/steps.hpp"

namespace frond {

// One step with m rows below the pivot costs, additions and multiplications counted one by one,
//     LL^T   1 root, m divisions, m (m + 1) / 2 updates of two     (m + 1)^2
//     LDL^T  m divisions, the same updates (by l d, kept)          m^2 + 2 m
//     LU     m divisions, m^2 updates of two                       2 m^2 + m
// Summed over m = nfront - npiv .. nfront - 1 by the polynomials for sums of m and of m^2.
double front_flops(count_t npiv, count_t nfront, Factorization kind) {
    const double p = static_cast<double>(npiv);
    const double a = static_cast<double>(nfront - npiv);  // first m
    const double sum = p * a + p * (p - 1) / 2;  // of m
    const double squares = p * a * a + a * p * (p - 1) + (p - 1) * p * (2 * p - 1) / 6;  // of m^2
    if (kind == Factorization::lu) return 2 * squares + sum;
    const double shifted = squares + 2 * sum;  // of m^2 + 2 m
    return kind == Factorization::llt ? shifted + p : shifted;
}

}  // namespace frond

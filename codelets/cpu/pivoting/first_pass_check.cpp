// SPDX-License-Identifier: BSD-3-Clause
#include "../simd/kernel_table.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/threshold.hpp"

#include <algorithm>
#include <cmath>

namespace frond::cpu {

template <class T>
index_t first_column_above(DenseView<const T> l, double bound, double& largest) {
    real_t<T> largest_here;
    const index_t first = simd::kernels<T>().first_column_above(l.rows, l.cols, l.data, l.ld,
                                                                static_cast<real_t<T>>(bound), largest_here);
    largest = std::max(largest, static_cast<double>(largest_here));
    return first;
}

template <class T>
double largest_magnitude(DenseView<const T> l) {
    double largest = 0;
    first_column_above(l, HUGE_VAL, largest);
    return largest;
}

template <class T>
index_t first_replaced_pivot(index_t n, const T* replaced) {
    index_t k = 0;
    while (k < n && replaced[k] == T(0)) ++k;
    return k;
}

template <class T>
index_t whole_pivots(index_t kept, const T* pivots) {
    return kept > 0 && pivots[2 * (kept - 1) + 1] != T(0) ? kept - 1 : kept;
}

#define FROND_INSTANTIATE(T)                                                     \
    template index_t first_column_above<T>(DenseView<const T>, double, double&); \
    template double largest_magnitude<T>(DenseView<const T>);                    \
    template index_t first_replaced_pivot<T>(index_t, const T*);                 \
    template index_t whole_pivots<T>(index_t, const T*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

// SPDX-License-Identifier: BSD-3-Clause
#include "../simd/kernel_table.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/threshold.hpp"

namespace frond::cpu {

template<class T>
index_t first_column_above(DenseView<const T> l, double bound) {
    return simd::kernels<T>().first_column_above(l.rows, l.cols, l.data, l.ld,
                                                 static_cast<real_t<T>>(bound));
}

template<class T>
index_t first_replaced_pivot(index_t n, const T* replaced) {
    index_t k = 0;
    while (k < n && replaced[k] == T(0)) ++k;
    return k;
}

template<class T>
index_t whole_pivots(index_t kept, const T* pivots) {
    return kept > 0 && pivots[2 * (kept - 1) + 1] != T(0) ? kept - 1 : kept;
}

#define FROND_INSTANTIATE(T)                                                                       \
    template index_t first_column_above<T>(DenseView<const T>, double);                            \
    template index_t first_replaced_pivot<T>(index_t, const T*);                                   \
    template index_t whole_pivots<T>(index_t, const T*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::cpu

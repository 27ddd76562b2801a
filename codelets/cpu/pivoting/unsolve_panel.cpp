// SPDX-License-Identifier: BSD-3-Clause
#include "../scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"

#include <algorithm>

namespace frond::cpu {

namespace {

template<class T>
void clear_columns(DenseView<T> a, index_t first) {
    for (index_t j = first; j < a.cols; ++j) std::fill_n(a.column(j), a.rows, T(0));
}

} // namespace

template<class T>
void unsolve_panel_ldlt(DenseView<const T> l11, bool hermitian, index_t kept, DenseView<T> l21,
                        DenseView<T> l21_d) {
    const index_t m = l21.rows, n = l21.cols;
    for (index_t j = n - 1; j >= kept; --j)
        for (index_t p = kept; p < j; ++p) {
            const T factor = conjugate_if(hermitian, l11(j, p));
            for (index_t i = 0; i < m; ++i) l21_d(i, j) += multiply(l21_d(i, p), factor);
        }
    clear_columns(l21, kept);
}

template<class T>
void unsolve_panel_lu_lower(DenseView<const T> lu11, index_t kept, DenseView<T> l21,
                            DenseView<T> saved) {
    const index_t m = l21.rows, left = l21.cols - kept;
    if (m > 0 && kept > 0 && left > 0)
        update_general<T>(l21.block(0, 0, m, kept), lu11.block(0, kept, kept, left),
                          saved.block(0, kept, m, left));
    clear_columns(l21, kept);
}

template<class T>
void unsolve_panel_lu_upper(DenseView<const T> lu11, index_t kept, DenseView<T> u12) {
    const index_t n = u12.rows;
    for (index_t j = 0; j < u12.cols; ++j)
        for (index_t p = n - 2; p >= kept; --p)
            for (index_t i = p + 1; i < n; ++i) u12(i, j) += multiply(lu11(i, p), u12(p, j));
}

#define FROND_INSTANTIATE(T)                                                                       \
    template void unsolve_panel_ldlt<T>(DenseView<const T>, bool, index_t, DenseView<T>,           \
                                        DenseView<T>);                                             \
    template void unsolve_panel_lu_lower<T>(DenseView<const T>, index_t, DenseView<T>,             \
                                            DenseView<T>);                                         \
    template void unsolve_panel_lu_upper<T>(DenseView<const T>, index_t, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::cpu

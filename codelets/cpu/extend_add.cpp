// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "simd/kernel_table.hpp"

namespace frond::cpu {

template<class T>
void extend_add_lower(DenseView<const T> child, const index_t* rows, DenseView<T> panel,
                      DenseView<T> contribution) {
    simd::kernels<T>().extend_add_lower(child.cols, child.data, child.ld, rows, panel.cols,
                                        panel.data, panel.ld, contribution.data, contribution.ld);
}

template<class T>
void extend_add_full(DenseView<const T> child, const index_t* rows, DenseView<T> panel,
                     DenseView<T> upper, DenseView<T> contribution) {
    simd::kernels<T>().extend_add_full(child.cols, child.data, child.ld, rows, panel.cols,
                                       panel.data, panel.ld, upper.data, upper.ld,
                                       contribution.data, contribution.ld);
}

#define FROND_INSTANTIATE(T)                                                                       \
    template void extend_add_lower<T>(DenseView<const T>, const index_t*, DenseView<T>,            \
                                      DenseView<T>);                                               \
    template void extend_add_full<T>(DenseView<const T>, const index_t*, DenseView<T>,             \
                                     DenseView<T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::cpu

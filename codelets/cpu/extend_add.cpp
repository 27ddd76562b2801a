// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"

namespace frond::cpu {

template <class T>
void extend_add_lower(DenseView<const T> child, const index_t* rows, DenseView<T> panel,
                      DenseView<T> contribution) {
    const index_t npiv = panel.cols;
    for (index_t j = 0; j < child.cols; ++j) {
        const index_t column = rows[j];
        T* target = column < npiv ? panel.column(column)
                                  : contribution.column(column - npiv) - npiv;
        for (index_t i = j; i < child.rows; ++i) target[rows[i]] += child(i, j);
    }
}

template <class T>
void extend_add_full(DenseView<const T> child, const index_t* rows, DenseView<T> panel,
                     DenseView<T> upper, DenseView<T> contribution) {
    const index_t npiv = panel.cols;
    for (index_t j = 0; j < child.cols; ++j)
        for (index_t i = 0; i < child.rows; ++i) {
            const index_t r = rows[i], c = rows[j];
            if (c < npiv)
                panel(r, c) += child(i, j);
            else if (r < npiv)
                upper(r, c - npiv) += child(i, j);
            else
                contribution(r - npiv, c - npiv) += child(i, j);
        }
}

#define FROND_INSTANTIATE(T)                                                                       \
    template void extend_add_lower<T>(DenseView<const T>, const index_t*, DenseView<T>,            \
                                      DenseView<T>);                                               \
    template void extend_add_full<T>(DenseView<const T>, const index_t*, DenseView<T>,             \
                                     DenseView<T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

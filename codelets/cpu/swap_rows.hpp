// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/dense_view.hpp"

#include <utility>

namespace frond::cpu {

/// Rows first + k and swaps[k] of every column are exchanged, k = 0 .. count - 1 in this order.
template <class T>
void swap_rows(DenseView<T> a, index_t first, const index_t* swaps, index_t count) {
    bool any = false;
    for (index_t k = 0; k < count; ++k) any = any || swaps[k] != first + k;
    for (index_t j = 0; any && j < a.cols; ++j) {
        T* column = a.column(j);
        for (index_t k = 0; k < count; ++k)
            if (swaps[k] != first + k) std::swap(column[first + k], column[swaps[k]]);
    }
}

}  // namespace frond::cpu

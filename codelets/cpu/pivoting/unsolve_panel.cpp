// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"
#include "triangle_products.hpp"

#include <algorithm>

namespace frond::cpu {

namespace {

template <class T>
void clear_columns(DenseView<T> a, index_t first) {
    for (index_t j = first; j < a.cols; ++j) std::fill_n(a.column(j), a.rows, T(0));
}

/// Calls take_back(begin, length) for the parts of first .. end, in any order.
template <class TakeBack>
void for_each_chunk(index_t first, index_t end, TakeBack take_back) {
    for (index_t p = first; p < end; p += unfactor_chunk) take_back(p, std::min(unfactor_chunk, end - p));
}

}  // namespace

template <class T>
void unsolve_panel_ldlt(DenseView<const T> l11, bool hermitian, index_t kept, DenseView<T> l21, DenseView<T> l21_d) {
    const index_t m = l21.rows;
    for (index_t end = l21.cols; end > kept && m > 0;) {
        const index_t begin = std::max(kept, end - unfactor_block), width = end - begin;
        const auto block = l21_d.block(0, begin, m, width);
        multiply_right_unit_lower(l11.block(begin, begin, width, width), hermitian, block);
        for_each_chunk(kept, begin, [&](index_t p, index_t count) {
            const Negated<T> l(l11.block(begin, p, width, count));
            update_transposed<T>(l21_d.block(0, p, m, count), l.view(), hermitian, block);
        });
        end = begin;
    }
    clear_columns(l21, kept);
}

template <class T>
void unsolve_panel_lu_lower(DenseView<const T> lu11, index_t kept, DenseView<T> l21, DenseView<T> saved) {
    const index_t m = l21.rows, left = l21.cols - kept;
    if (m > 0 && kept > 0 && left > 0)
        update_general<T>(l21.block(0, 0, m, kept), lu11.block(0, kept, kept, left), saved.block(0, kept, m, left));
    clear_columns(l21, kept);
}

template <class T>
void unsolve_panel_lu_upper(DenseView<const T> lu11, index_t kept, DenseView<T> u12) {
    const index_t m = u12.cols;
    for (index_t end = u12.rows; end > kept && m > 0;) {
        const index_t begin = std::max(kept, end - unfactor_block), height = end - begin;
        const auto block = u12.block(begin, 0, height, m);
        multiply_left_unit_lower(lu11.block(begin, begin, height, height), block);
        for_each_chunk(kept, begin, [&](index_t p, index_t count) {
            const Negated<T> l(lu11.block(begin, p, height, count));
            update_general<T>(l.view(), u12.block(p, 0, count, m), block);
        });
        end = begin;
    }
}

#define FROND_INSTANTIATE(T)                                                                            \
    template void unsolve_panel_ldlt<T>(DenseView<const T>, bool, index_t, DenseView<T>, DenseView<T>); \
    template void unsolve_panel_lu_lower<T>(DenseView<const T>, index_t, DenseView<T>, DenseView<T>);   \
    template void unsolve_panel_lu_upper<T>(DenseView<const T>, index_t, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

// SPDX-License-Identifier: BSD-3-Clause
#include "factor/subtract_panel.hpp"

#include <algorithm>

#include "blas.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/level_batch/contribution_strip.hpp"

namespace frond::gpu {

template <class T>
void SubtractPanel<T>::from(const DenseFront<T>& strip, const DenseFront<T>& panel) const {
    kind_ == Factorization::lu ? eliminate_rows_of_u(panel, strip) : subtract_symmetric(panel, strip);
}

/// L of a tile is in the order of its pivots, what is left of it in that of the rows before: tile by tile.
template <class T>
void SubtractPanel<T>::eliminate_rows_of_u(const DenseFront<T>& panel, const DenseFront<T>& strip) const {
    const index_t columns = strip.columns() - strip.first;
    const auto ld = static_cast<index_t>(strip.ld);
    T* const first_column = strip.data + strip.first * strip.ld;
    for (index_t first = panel.first, last = 0; first < panel.npiv; first = last) {
        last = end_of_ordered_rows_(first);
        const DenseView<T> rows{first_column + first, last - first, columns, ld};
        order_rows<T>(stream_, panel.perm + first, first, rows);
        solve_left_unit_lower<T>(blas_, {panel.data + first * (1 + panel.ld), last - first, last - first, ld}, rows);
        subtract_product<T>(blas_, {panel.data + last + first * panel.ld, rows_from(panel, last), last - first, ld},
                            Form::plain, rows, {first_column + last, rows_from(panel, last), columns, ld});
    }
}

/// Subtracts by narrower strips, so that little above the diagonal is computed.
template <class T>
void SubtractPanel<T>::subtract_symmetric(const DenseFront<T>& panel, const DenseFront<T>& strip) const {
    constexpr index_t most_columns = 1024;
    const auto ld = static_cast<index_t>(strip.ld);
    const index_t columns = strip.columns() - strip.first, pivots = panel.npiv - panel.first;
    const T* const l = panel.data + panel.first * panel.ld;
    T* const right = strip.data + panel.first;
    multiply_by_pivots<T>(stream_, kind_, {l + strip.first, columns, pivots, ld}, panel.pivots + 2 * panel.first,
                          {right + strip.first * strip.ld, pivots, columns, ld});
    for (index_t j = strip.first; j < strip.columns(); j += most_columns) {
        const index_t width = std::min(most_columns, strip.columns() - j);
        subtract_product<T>(blas_, {l + j, rows_from(panel, j), pivots, ld}, Form::plain,
                            {right + j * strip.ld, pivots, width, ld},
                            {strip.data + j + j * strip.ld, rows_from(strip, j), width, ld});
    }
}

#define FROND_INSTANTIATE(T) template class SubtractPanel<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

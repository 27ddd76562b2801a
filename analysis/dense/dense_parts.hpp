// SPDX-License-Identifier: BSD-3-Clause
// Private to analysis/dense.
#pragma once

#include "frond/analysis/dense_steps.hpp"
#include "frond/matrix/dense_matrix_view.hpp"

namespace frond {

/// Rows of column j that are read.
template <class T>
count_t first_row(const DenseMatrixView<T>& a, count_t j) {
    return a.symmetry == Symmetry::general || a.reads_upper() ? 0 : j;
}
template <class T>
count_t end_row(const DenseMatrixView<T>& a, count_t j) {
    return a.reads_upper() ? j + 1 : a.order;
}

}  // namespace frond

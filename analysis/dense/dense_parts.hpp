// SPDX-License-Identifier: BSD-3-Clause
// Private to analysis/dense.
#pragma once

#include <algorithm>
#include <cmath>

#include "frond/matrix/dense_matrix_view.hpp"

namespace frond {

/// The larger part of a complex number: of the size of |x| up to sqrt 2, and without its square root.
template <class T>
double size_of(T x) {
    if constexpr (is_complex<T>)
        return std::max(std::abs(static_cast<double>(x.real())), std::abs(static_cast<double>(x.imag())));
    else
        return std::abs(static_cast<double>(x));
}

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

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/dense_view.hpp"

namespace frond::detail {

/// S += A X and W += |A| |X|, each entry of them summed in the order of A's columns, one product after the other: the bits
/// do not depend on how A is cut.                             a [m, n], x [n, k], s [m, k], w [m, k] of real numbers
template <class T>
void add_ordered_product(DenseView<const T> a, DenseView<const T> x, DenseView<T> s, DenseView<real_t<T>> w);

}  // namespace frond::detail

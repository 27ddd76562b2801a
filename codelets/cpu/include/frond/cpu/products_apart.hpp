// SPDX-License-Identifier: BSD-3-Clause
// Products that are made by one rank and added by another. One rank alone does both, too, if the bits must agree.
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"

namespace frond::cpu {

/// Y := -op(A) X                a [m, k] as stored
template <class T>
void negated_product(DenseView<const T> a, Operation op, DenseView<const T> x, DenseView<T> y);

/// Y := Y + X
template <class T>
void add_to(DenseView<const T> x, DenseView<T> y);

}  // namespace frond::cpu

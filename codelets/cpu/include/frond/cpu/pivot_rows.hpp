// SPDX-License-Identifier: BSD-3-Clause
// Which rows of a tall block partial pivoting takes; single-threaded, without allocation.
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"

namespace frond::cpu {

/// Swaps of partial pivoting of a tall block a [m, n], m >= n: at step k rows k and swaps[k] >= k change places, so that
/// the first n rows are those of its pivots afterwards. a is spoilt. Of columns of zeros any row is taken.
template <class T>
void select_pivot_rows(DenseView<T> a, index_t* swaps);

}  // namespace frond::cpu

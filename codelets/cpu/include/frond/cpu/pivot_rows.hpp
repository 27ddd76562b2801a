// SPDX-License-Identifier: BSD-3-Clause
// Which rows of a tall block partial pivoting takes; single-threaded, without allocation.
#pragma once

#include <vector>

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"

namespace frond::cpu {

/// Rows `upper`, of a diagonal tile, and `lower`, below it, of a front are exchanged.
struct RowExchange {
    index_t upper = 0, lower = 0;

    bool operator==(const RowExchange&) const = default;
};

/// The exchanges of a panel. No row is in two of them.
struct RowExchanges {
    std::vector<RowExchange> list;
};

/// Swaps of partial pivoting of a tall block a [m, n], m >= n: at step k rows k and swaps[k] >= k are exchanged, so
/// that the first n rows are those of its pivots afterwards. a is overwritten. A column of zeros takes any row.
template <class T>
void select_pivot_rows(DenseView<T> a, index_t* swaps);

}  // namespace frond::cpu

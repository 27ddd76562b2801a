// SPDX-License-Identifier: BSD-3-Clause
// The blocks of Leftover: with the columns F = (kept 1, rest 2) and the contribution C,
//   panel = (L11; L21; LC1), upper = (U12, U1C), own_rows = L(F, own), own_columns = U(own, F).
#pragma once

#include "frond/cpu/leftover.hpp"

#include <algorithm>

namespace frond::cpu {

template <class T, class A>
DenseView<T> packed_view(std::vector<T, A>& data, index_t rows, index_t cols) {
    return {data.data(), rows, cols, std::max<index_t>(rows, 1)};
}

template <class T, class A>
DenseView<const T> packed_view(const std::vector<T, A>& data, index_t rows, index_t cols) {
    return {data.data(), rows, cols, std::max<index_t>(rows, 1)};
}

/// One of the two triangular factors of the leftover columns as it stands in a substitution.
template <class T>
struct TriangularFactor {
    DenseView<const T> triangle;  // [kept, kept]
    DenseView<const T> rest;  // L21 or U12
    DenseView<const T> contribution;  // LC1 or U1C
    DenseView<const T> own;  // own_rows or own_columns; empty where there are none
    index_t count = 0;  // rows (columns) of F
    index_t null = 0;  // null rows (columns) that follow the kept ones
};

template <class T>
TriangularFactor<T> lower_factor(const Leftover<T>& leftover) {
    const index_t m = leftover.rows(), kept = leftover.kept;
    const DenseView<const T> panel = packed_view(leftover.panel, m + leftover.ncb, kept);
    TriangularFactor<T> factor;
    factor.triangle = panel.block(0, 0, kept, kept);
    factor.rest = panel.block(kept, 0, m - kept, kept);
    factor.contribution = panel.block(m, 0, leftover.ncb, kept);
    if (!leftover.own_rows.empty()) factor.own = packed_view(leftover.own_rows, m, leftover.npiv);
    factor.count = m;
    factor.null = leftover.null_rows;
    return factor;
}

template <class T>
TriangularFactor<T> upper_factor(const Leftover<T>& leftover) {
    const index_t n = leftover.cols(), kept = leftover.kept;
    const DenseView<const T> upper = packed_view(leftover.upper, kept, n - kept + leftover.ncb);
    TriangularFactor<T> factor;
    factor.triangle = packed_view(leftover.panel, leftover.rows() + leftover.ncb, kept).block(0, 0, kept, kept);
    factor.rest = upper.block(0, 0, kept, n - kept);
    factor.contribution = upper.block(0, n - kept, kept, leftover.ncb);
    if (!leftover.own_columns.empty()) factor.own = packed_view(leftover.own_columns, leftover.npiv, n);
    factor.count = n;
    factor.null = leftover.null_columns;
    return factor;
}

}  // namespace frond::cpu

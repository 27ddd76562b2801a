// SPDX-License-Identifier: BSD-3-Clause
// The blocks of SecondPass: with the columns F = (kept 1, rest 2) and the contribution C,
//   panel = (L11; L21; LC1), upper = (U12, U1C), own_rows = L(F, own), own_columns = U(own, F).
#pragma once

#include "frond/cpu/second_pass.hpp"

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

/// One of the two triangular factors of the columns of the second pass as it stands in a substitution.
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
TriangularFactor<T> lower_factor(const SecondPass<T>& second_pass) {
    const index_t m = second_pass.rows(), kept = second_pass.kept;
    const DenseView<const T> panel = packed_view(second_pass.panel, m + second_pass.ncb, kept);
    TriangularFactor<T> factor;
    factor.triangle = panel.block(0, 0, kept, kept);
    factor.rest = panel.block(kept, 0, m - kept, kept);
    factor.contribution = panel.block(m, 0, second_pass.ncb, kept);
    if (!second_pass.own_rows.empty()) factor.own = packed_view(second_pass.own_rows, m, second_pass.npiv);
    factor.count = m;
    factor.null = second_pass.null_rows;
    return factor;
}

template <class T>
TriangularFactor<T> upper_factor(const SecondPass<T>& second_pass) {
    const index_t n = second_pass.cols(), kept = second_pass.kept;
    const DenseView<const T> upper = packed_view(second_pass.upper, kept, n - kept + second_pass.ncb);
    TriangularFactor<T> factor;
    factor.triangle =
        packed_view(second_pass.panel, second_pass.rows() + second_pass.ncb, kept).block(0, 0, kept, kept);
    factor.rest = upper.block(0, 0, kept, n - kept);
    factor.contribution = upper.block(0, n - kept, kept, second_pass.ncb);
    if (!second_pass.own_columns.empty()) factor.own = packed_view(second_pass.own_columns, second_pass.npiv, n);
    factor.count = n;
    factor.null = second_pass.null_columns;
    return factor;
}

}  // namespace frond::cpu

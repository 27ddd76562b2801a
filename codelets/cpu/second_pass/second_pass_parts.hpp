// SPDX-License-Identifier: BSD-3-Clause
// Blocks of the second pass, its run, and which of its pivots are kept.
#pragma once

#include "counted_vector.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/failed_columns.hpp"
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

/// See run_second_pass; `delayed` is empty but for ncb.
template <class T>
void eliminate_symmetric(bool hermitian, SecondPassColumns<T>& columns, const PivotRule& rule,
                         SecondPass<T>& second_pass, DelayedColumns<T>& delayed, PivotReport& report,
                         MemoryAccount* account);
template <class T>
void eliminate_unsymmetric(bool at_root, SecondPassColumns<T>& columns, const PivotRule& rule,
                           SecondPass<T>& second_pass, DelayedColumns<T>& delayed, PivotReport& report,
                           MemoryAccount* account);

template <class T>
void append(DenseView<const T> a, HostVector<T>& to) {
    for (index_t j = 0; j < a.cols; ++j) to.insert(to.end(), a.column(j), a.column(j) + a.rows);
}

/// The blocks side by side as a matrix of their own.
template <class T>
HostVector<T> packed(MemoryAccount* account, DenseView<const T> a, DenseView<const T> b = {}) {
    HostVector<T> copy =
        counted_room<T>(static_cast<count_t>(a.rows) * a.cols + static_cast<count_t>(b.rows) * b.cols, account);
    append(a, copy);
    append(b, copy);
    return copy;
}

/// What `block` of the matrix in `data` holds; the memory itself where the block is all of it.
template <class T>
HostVector<T> packed_or_all(MemoryAccount* account, DenseView<const T> block, HostVector<T>& data) {
    if (static_cast<std::size_t>(block.rows) * static_cast<std::size_t>(block.cols) == data.size())
        return std::exchange(data, HostVector<T>());
    return packed<T>(account, block);
}

inline std::vector<index_t> permuted(const std::vector<index_t>& positions, const std::vector<index_t>& perm) {
    std::vector<index_t> result(positions.size());
    for (std::size_t k = 0; k < positions.size(); ++k) result[k] = positions[at(perm[k])];
    return result;
}

/// The two kinds of accept_pivots; return the number of pivots kept, count nothing but the largest |l_ij|.
template <class T>
index_t accept_symmetric_pivots(bool hermitian, const PivotRule& rule, index_t limit, FactoredPanel<T>& panel,
                                FailedColumns<T>& failed, double& largest_l);
template <class T>
index_t accept_lu_pivots(const PivotRule& rule, index_t limit, FactoredPanel<T>& panel, FailedColumns<T>& failed,
                         double& largest_l);

}  // namespace frond::cpu

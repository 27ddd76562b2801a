// SPDX-License-Identifier: BSD-3-Clause
// The two kinds of the second pass, and what both need to split its blocks.
#pragma once

#include "counted_vector.hpp"
#include "frond/base/vector_index.hpp"
#include "second_pass_blocks.hpp"

namespace frond::cpu {

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

}  // namespace frond::cpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "factors/factors_state.hpp"

namespace frond::detail {

/// The pivots of one diagonal block of the factors (of a front in a subtree, or of a diagonal tile).
template <class T>
struct PivotBlock {
    index_t first_column = 0;  // elimination position
    DenseView<const T> block;  // factored, diagonal of L, of U for LU; 1 for LDL^T
    const index_t* perm = nullptr;  // null for LL^T
    const T* pivots = nullptr;  // LDL^T: [2, n]
};

/// Calls visit for every diagonal block, in elimination order.
template <class T>
void for_each_pivot_block(const FactorsState<T>& state, const std::function<void(const PivotBlock<T>&)>& visit);

/// Calls visit for every front with columns of the second pass, in postorder.
template <class T>
void for_each_second_pass(const FactorsState<T>& state, const std::function<void(const cpu::SecondPass<T>&)>& visit);

/// Threshold pivoting: columns of A whose pivot is null, ascending.
template <class T>
std::vector<index_t> null_columns(const FactorsState<T>& state);

/// The rows of A that stand against them: the same for the symmetric kinds.
template <class T>
std::vector<index_t> null_rows(const FactorsState<T>& state);

/// Columns of A whose pivot has at most the size that static pivoting raises to; ascending.
template <class T>
std::vector<index_t> small_pivot_columns(const FactorsState<T>& state, const PivotRule& rule);

/// log |det A| and the phase of det A: pivots, permutations and scaling taken together.
template <class T>
typename Factors<T>::LogDeterminant log_determinant(const FactorsState<T>& state);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <limits>

#include "factors/factors_state.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {

/// The pivots of one diagonal block of the factors (of a front in a subtree, or of a diagonal tile).
template <class T>
struct PivotBlock {
    index_t first_column = 0;  // elimination position
    DenseView<const T> block;  // factored, where more than its diagonal is there: of L, of U for LU; 1 for LDL^T
    const index_t* perm = nullptr;  // null for LL^T
    const T* pivots = nullptr;  // LDL^T: [2, n]
};

/// Whether pivot k of a block is a 2x2 pivot.
template <class T>
bool is_pair(const PivotBlock<T>& b, index_t k, Factorization kind) {
    return has_block_diagonal(kind) && b.pivots[2 * at(k) + 1] != T(0);
}

/// The 1x1 pivot k of a block.
template <class T>
T pivot_value(const PivotBlock<T>& b, index_t k, Factorization kind) {
    return has_block_diagonal(kind) ? b.pivots[2 * at(k)] : b.block(k, k);
}

/// Calls visit for every diagonal block, in elimination order. On rank 0 of several: of the units of other ranks, too, of
/// whose blocks only the diagonal is there; on others of its own units alone. The same holds for second passes.
template <class T>
void for_each_pivot_block(const TreeFactors<T>& factors, const std::function<void(const PivotBlock<T>&)>& visit);

/// Visits the blocks of one unit, by its front (a subtree's root), for callers that hold factors.place_mutex.
template <class T>
void for_each_pivot_block_of_unit(const TreeFactors<T>& factors, index_t unit,
                                  const std::function<void(const PivotBlock<T>&)>& visit);

/// Calls visit for every front with columns of the second pass, in postorder.
template <class T>
void for_each_second_pass(const TreeFactors<T>& factors, const std::function<void(const cpu::SecondPass<T>&)>& visit);

/// Visits the second passes of one unit, by its front (a subtree's root).
template <class T>
void for_each_second_pass_of_unit(const TreeFactors<T>& factors, index_t front,
                                  const std::function<void(const cpu::SecondPass<T>&)>& visit);

/// Threshold pivoting: columns of A whose pivot is null, ascending.
template <class T>
std::vector<index_t> null_columns(const TreeFactors<T>& factors);

/// The rows of A that stand against them: the same for the symmetric kinds.
template <class T>
std::vector<index_t> null_rows(const TreeFactors<T>& factors);

/// Columns of A whose pivot has at most the size that static pivoting raises to; ascending.
template <class T>
std::vector<index_t> small_pivot_columns(const TreeFactors<T>& factors, const PivotRule& rule);

/// log |det A| and the phase of det A: pivots, permutations and scaling taken together.
template <class T>
typename Factors<T>::LogDeterminant log_determinant(const FactorsState<T>& state);

/// Rounding may leave of a null column a pivot a little above report.pivots.null_below. Where singular factors
/// have pivots within 1000 of that bound (and eps^(1/3) of the largest entry), and a gap of 1000 (in single
/// precision of 10) between them and all larger ones, they are taken for such: the geometric middle of the
/// gap is returned, as a bound for null columns that gives the right rank. 0: there are no such pivots.
/// A bound inside the gap between pivots that shows the rank; a 2 x 2 pivot counts by its smaller eigenvalue.
template <class T>
double bound_in_rank_gap(const FactorsState<T>& state);

/// Whether the smallest pivot is so small that a gap is worth looking for.
template <class T>
bool may_have_rank_gap(const FactorsState<T>& state);

/// Pivots beside the entries of the scaled A on the diagonal where they stand; kinds with real pivots.
struct DiagonalComparison {
    /// Every pivot has the sign of that entry, and a 2 x 2 pivot the signs of its two. That is so in every order of
    /// elimination for quasi-definite matrices (Vanderbei 1995), whose pivots may grow without harm, and hardly so where
    /// rounding has changed signs.
    bool has_signs = true;
    /// The least |pivot / entry| of 1 x 1 pivots, which scaling does not change, and its column of A.
    double least_share = std::numeric_limits<double>::infinity();
    index_t least_column = -1;
};

/// Cost: O(n) and the entries of A.
template <class T>
DiagonalComparison compare_with_diagonal(const FactorsState<T>& state);

}  // namespace frond::detail

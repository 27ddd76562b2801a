// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/listed_pivots.hpp"
#include "frond/analysis/pieces.hpp"
#include "frond/base/parallel_for.hpp"

namespace frond::detail {

/// Pivots on the host, by elimination position of an analysis.
template <class T>
struct PivotsOfTree {
    const T* pivots = nullptr;  // [n], of L D L^T [2, n]
    const index_t* perm = nullptr;  // [n] local to the front; L L^H: null
};

/// The units of the tree that are in branches, ascending.
std::vector<index_t> units_of_branches(const Analysis& whole, const Branches& branches);

/// The pivots of branches go to where the list has the columns of the tree.
template <class T>
void list_pivots_of_branches(const Analysis& whole, const Branches& branches, const PivotsOfTree<T>& found,
                             ListedPivots<T>& listed, const ParallelFor& parallel_for);

}  // namespace frond::detail

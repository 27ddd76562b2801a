// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>

#include "factors/remote_pivots.hpp"
#include "frond/analysis/branches.hpp"

namespace frond::detail {

/// Pivots on the host, by elimination position of an analysis.
template <class T>
struct PivotsOfTree {
    const T* pivots = nullptr;  // [n], of L D L^T [2, n]
    const index_t* perm = nullptr;  // [n] local to the front; L L^H: null
};

/// Those of branches, by the units of the tree and in its positions.
template <class T>
std::map<index_t, typename RemotePivots<T>::Unit> pivots_of_branches(const Analysis& whole, const Branches& branches,
                                                                     const PivotsOfTree<T>& found);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// What finding the leaves of row subtrees needs. Private to analysis/.
#pragma once

#include <vector>

#include "frond/base/types.hpp"

namespace frond {

/// Root of the set of j among the nodes merged so far, with path halving.
inline index_t find_root(std::vector<index_t>& above, index_t j) {
    while (above[j] != j) {
        above[j] = above[above[j]];
        j = above[j];
    }
    return j;
}

/// first[j]: the subtree of j is first[j] .. j (postordered tree).
inline std::vector<index_t> first_descendants(const std::vector<index_t>& parent) {
    const index_t n = static_cast<index_t>(parent.size());
    std::vector<index_t> first(parent.size());
    for (index_t j = 0; j < n; ++j) first[j] = j;
    for (index_t j = 0; j < n; ++j) {
        const index_t p = parent[j];
        if (p >= 0 && first[j] < first[p]) first[p] = first[j];
    }
    return first;
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// Subtrees that threads may work on side by side, and what is above them.
#pragma once

#include "frond/base/types.hpp"

#include <vector>

namespace frond {

/// Nodes first .. root of a postordered forest: root and all below it.
struct SubtreeRange {
    index_t first;
    index_t root;
};

/// The maximal subtrees of at most `most_work`, ascending, where work_before[j] is that of the
/// nodes before j [nodes + 1]. The nodes of no range are above them. O(nodes).
std::vector<SubtreeRange> disjoint_subtrees(const std::vector<index_t>& first_descendant,
                                            const std::vector<count_t>& work_before, count_t most_work);

/// Consecutive ranges of some work together: chunk c is ranges begin[c] .. begin[c + 1].
std::vector<index_t> chunks_of_subtrees(const std::vector<SubtreeRange>& ranges,
                                        const std::vector<count_t>& work_before, count_t least_work);

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/assembly_tree.hpp"
#include "frond/analysis/options.hpp"

namespace frond {

/// Operations of the longest chain of tasks, which follow one another however many cores there are: of a subtree all of
/// them; of a front on tiles, for each panel its diagonal tile, the tile below it, and the update of the next diagonal
/// tile; children come before their parents. Less than what really follows, since assembly is not counted. O(fronts + tiles).
double task_chain_flops(const AssemblyTree& tree, const Mapping& mapping, Factorization kind);

}  // namespace frond

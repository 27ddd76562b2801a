// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "submit/fronts/front_run.hpp"

namespace frond::detail {

/// A child tile that a piece of an assembly reads.
struct PieceSource {
    index_t child = 0;  // number in FrontRun::children
    index_t row = 0, column = 0;  // tile of the child (0, 0 for a subtree's block)
};

/// Fills run.assemblies: entries of A by tile, and for every child, in order, the parts of its
/// contribution that fall into each tile; of the tiles that are here. Returns the sources of the pieces, tile by tile.
template <class T>
std::vector<std::vector<PieceSource>> plan_assembly(const Analysis& analysis, FrontRun<T>& run);

}  // namespace frond::detail

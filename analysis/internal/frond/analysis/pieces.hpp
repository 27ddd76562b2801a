// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "frond/analysis/assembly_tree.hpp"
#include "frond/analysis/share_tree.hpp"

namespace frond {

/// What one task does: subtrees side by side, or one front above other pieces.
struct Piece {
    index_t first_front = 0, last_front = 0;  // last: inclusive
    index_t device = 0;  // as of SharedPart
};

/// The work memory of a device that a piece may take.
struct PieceLimit {
    count_t most_scalars = std::numeric_limits<count_t>::max();  // no limit
    std::function<count_t(index_t first_front, index_t last_front)> scalars;  // of such a piece; only with a limit
};

/// The parts of `shares` as pieces, children's before their parents'. Parts of whole subtrees that take more than the
/// limit are cut into subtrees that do not and single fronts above them; subtrees side by side of one device are one
/// piece while they take no more than the limit together. A single front is a piece whatever it takes, and so is one
/// that all devices do, then by several tasks.
/// O(fronts + pieces x what limit.scalars takes).
std::vector<Piece> cut_into_pieces(const AssemblyTree& tree, const TreeShares& shares, const PieceLimit& limit);

}  // namespace frond

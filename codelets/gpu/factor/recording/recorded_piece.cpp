// SPDX-License-Identifier: BSD-3-Clause
#include "factor/recording/recorded_piece.hpp"

#include <algorithm>

#include "factor/tree_launches.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

/// To launch a graph costs some microseconds, as do a few kernels. The device waits for the first graphs while they are recorded,
/// the longer the more they have.
constexpr count_t most_graphs = 8, least_launches = 128, least_of_small_tree = 256;

count_t launches_in(const SubtreePlan::Level& level) {
    return launches_of_level + launches_of_step * static_cast<count_t>(level.last_launch - level.first_launch) +
           launches_of_strip * static_cast<count_t>(level.last_strip - level.first_strip);
}

}  // namespace

void RecordedPiece::begin(const SubtreePlan& tree, const SubtreePlan::Range& piece, bool at_once) {
    forget();
    first_level_ = piece.first_level;
    times_.begin(piece.last_level - piece.first_level);
    count_t all = 0;
    for (index_t l = piece.first_level; l < piece.last_level; ++l) all += launches_in(tree.levels()[at(l)]);
    const count_t of_graph =
        std::max(all / most_graphs, all < 2 * least_of_small_tree ? least_of_small_tree : least_launches);
    count_t launches = 0;
    for (index_t l = piece.first_level; l < piece.last_level; ++l) {
        launches += launches_in(tree.levels()[at(l)]);
        const bool is_last = l + 1 == piece.last_level;
        if (!is_last && (at_once || launches < of_graph)) continue;
        ends_.push_back(l + 1);
        launches = 0;
    }
}

}  // namespace frond::gpu

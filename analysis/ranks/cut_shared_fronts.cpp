// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "../mapping/mapping_parts.hpp"
#include "frond/base/vector_index.hpp"
#include "ranks_parts.hpp"

namespace frond {
namespace {

/// Appends cuts of begin .. end in equal parts of about `size`, up to a quarter more where that saves a part.
void cut_evenly(index_t begin, index_t end, index_t size, std::vector<index_t>& cut) {
    const count_t rows = end - begin, parts = std::max<count_t>(1, (rows + size - 1 - size / 4) / size);
    for (count_t part = 1; part <= parts; ++part) cut.push_back(begin + static_cast<index_t>(rows * part / parts));
}

/// What is too large is cut in equal parts.
void cut_contribution(const AssemblyTree& tree, const Front& front, const TileGrid& parent, index_t size,
                      TileGrid& tiles) {
    const std::vector<index_t> segments = contribution_segments(tree, front, parent, size);
    for (std::size_t s = 1; s < segments.size(); ++s)
        cut_evenly(front.npiv + segments[s - 1], front.npiv + segments[s], size, tiles.cut);
}

}  // namespace

std::vector<TileGrid> cut_shared_fronts(const AssemblyTree& tree, const RankMapping& mapping,
                                        const std::vector<index_t>& ranks) {
    std::vector<TileGrid> all(tree.fronts.size());
    for (index_t f = tree.front_count() - 1; f >= 0; --f) {
        const Front& front = tree.fronts[at(f)];
        const bool in_piece = !mapping.is_shared(f) && front.parent >= 0 && !mapping.is_shared(front.parent);
        if (in_piece) continue;
        const index_t used = ranks[at(f)];
        const index_t size = used > 1 ? tile_size_of(front.nfront, used, 0) : std::max<index_t>(front.nfront, 1);
        TileGrid& tiles = all[at(f)];
        tiles.cut = {0};
        if (front.npiv > 0) cut_evenly(0, front.npiv, size, tiles.cut);
        tiles.own_tiles = tiles.tiles();
        if (used > 1 && front.parent >= 0)
            cut_contribution(tree, front, all[at(front.parent)], size, tiles);
        else if (front.ncb() > 0)
            tiles.cut.push_back(front.nfront);
    }
    return all;
}

}  // namespace frond

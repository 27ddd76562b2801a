// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "frond/base/vector_index.hpp"
#include "ranks_parts.hpp"

namespace frond {
namespace {

/// The work of tile (i, j): updates by all panels before it, and the solve or factorization of its own panel.
double work_of_tile(const TileGrid& tiles, index_t i, index_t j) {
    const double rows = tiles.size(i), cols = tiles.size(j);
    const index_t first = std::min(i, j);
    const double before = tiles.cut[at(std::min(first, tiles.own_tiles))];
    const double own = first < tiles.own_tiles ? std::min(rows, cols) / 2 : 0;
    return rows * cols * (before + own);
}

}  // namespace

std::vector<FrontShare> shares_of(const RankGrid& grid, const TileGrid& tiles, Factorization kind) {
    std::vector<FrontShare> shares(at(*std::max_element(grid.rank.begin(), grid.rank.end())) + 1);
    for (index_t j = 0; j < tiles.tiles(); ++j)
        for (index_t i = kind == Factorization::lu ? 0 : j; i < tiles.tiles(); ++i) {
            FrontShare& share = shares[at(grid.owner(i, j))];
            share.work += work_of_tile(tiles, i, j) / (kind != Factorization::lu && i == j ? 2 : 1);
            (std::min(i, j) < tiles.own_tiles ? share.factors : share.contribution) +=
                count_t{tiles.size(i)} * tiles.size(j);
        }
    return shares;
}

}  // namespace frond

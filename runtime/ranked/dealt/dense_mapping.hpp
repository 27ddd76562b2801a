// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/rank_mapping.hpp"
#include "frond/matrix/dense_matrix_view.hpp"

namespace frond::detail {

/// Order of the tiles that are the blocks of a layout; 0: it has no square blocks, or a table of ranks on which panels would
/// travel much further than on the one of map_ranks.
index_t tile_of_layout(const DenseLayout& layout);

/// Each tile of the one front is with the rank that has its entries; none: tiles are cut in another way, or so few that some
/// rank would have none.
/// upper: of a symmetric matrix that triangle is read, the entries of a tile being those of the other one.
std::optional<RankMapping> mapping_of_layout(const Analysis& analysis, const DenseLayout& layout, bool upper,
                                             index_t ranks);

/// Each tile column is with one rank, all in turn: as an exchange of rows wants it.
/// @pre one front, on tiles
RankMapping mapping_by_columns(const Analysis& analysis, index_t ranks);

}  // namespace frond::detail

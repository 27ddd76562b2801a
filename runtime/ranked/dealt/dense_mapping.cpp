// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/dealt/dense_mapping.hpp"

#include <algorithm>
#include <numeric>

namespace frond::detail {
namespace {

/// A table is at most so many times as long as wide, as tables of map_ranks are.
constexpr index_t longest_table = 3;

bool is_cut_at_multiples(const TileGrid& grid, index_t block) {
    for (index_t t = 0; t < grid.tiles(); ++t)
        if (grid.cut[static_cast<std::size_t>(t)] != t * block) return false;
    return true;
}

/// Symmetric kinds have better tables than oblong ones (Beaumont et al. 2022): what travels on those is more than what
/// entries would need to come to them. On two ranks each tile goes to one other rank in any case.
bool suits_kind(const DenseLayout& layout, Factorization kind) {
    return kind == Factorization::lu || layout.process_rows == layout.process_columns || layout.ranks() == 2;
}

RankGrid table_of(const DenseLayout& layout, bool upper) {
    const index_t rows = layout.process_rows, columns = layout.process_columns;
    RankGrid grid{upper ? columns : rows, upper ? rows : columns, {}};
    grid.rank.clear();
    for (index_t i = 0; i < grid.rows; ++i)
        for (index_t j = 0; j < grid.cols; ++j) grid.rank.push_back(upper ? j * columns + i : i * columns + j);
    return grid;
}

}  // namespace

index_t tile_of_layout(const DenseLayout& layout) {
    const auto [less, more] = std::minmax(layout.process_rows, layout.process_columns);
    if (more == 1 || more > longest_table * less) return 0;
    if (layout.process_rows == 1) return layout.column_block;
    if (layout.process_columns == 1) return layout.row_block;
    return layout.row_block == layout.column_block ? layout.row_block : 0;
}

std::optional<RankMapping> mapping_of_layout(const Analysis& analysis, const DenseLayout& layout, bool upper,
                                             index_t ranks) {
    const index_t block = tile_of_layout(layout);
    if (block == 0 || layout.ranks() > ranks || analysis.mapping.grids.size() != 1) return std::nullopt;
    const TileGrid& tiles = analysis.mapping.grids.front();
    if (!is_cut_at_multiples(tiles, block)) return std::nullopt;
    if (tiles.tiles() < layout.process_rows + layout.process_columns) return std::nullopt;
    if (!suits_kind(layout, analysis.factorization)) return std::nullopt;
    return mapping_of_grids(analysis.tree, analysis.mapping, {table_of(layout, upper)}, ranks);
}

RankMapping mapping_by_columns(const Analysis& analysis, index_t ranks) {
    RankGrid row{1, std::min(ranks, analysis.mapping.grids.front().tiles()), {}};
    row.rank.resize(static_cast<std::size_t>(row.cols));
    std::iota(row.rank.begin(), row.rank.end(), 0);
    return mapping_of_grids(analysis.tree, analysis.mapping, {row}, ranks);
}

}  // namespace frond::detail

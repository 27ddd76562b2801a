// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/dealt/local_analysis.hpp"

#include <algorithm>

#include "frond/base/vector_index.hpp"
#include "messages/tree_share.hpp"

namespace frond::detail {
namespace {

bool is_on(const RankGrid& grid, index_t rank) {
    return std::find(grid.rank.begin(), grid.rank.end(), rank) != grid.rank.end();
}

/// Whether the rank reads the contribution rows of a front: as its own, as those of a child that it assembles, or to list
/// the messages of that block, which all ranks do.
bool needs_rows(const AssemblyTree& tree, const RankMapping& mapping, index_t front, index_t rank) {
    const RankGrid& grid = mapping.grid[at(front)];
    if (is_on(grid, rank)) return true;
    const index_t parent = tree.fronts[at(front)].parent;
    if (parent < 0) return false;
    const bool stays_on_one = grid.rank.size() == 1 && mapping.grid[at(parent)].rank == grid.rank;
    return !stays_on_one;
}

/// Fronts without rows have none from the end of the list on: reading them by mistake is out of its range.
void keep_rows(const AssemblyTree& whole, const RankMapping& mapping, index_t rank, AssemblyTree& local) {
    std::vector<index_t> kept;
    count_t rows = 0;
    for (index_t f = 0; f < whole.front_count(); ++f) {
        if (!needs_rows(whole, mapping, f, rank)) continue;
        kept.push_back(f);
        rows += whole.fronts[at(f)].ncb();
    }
    for (Front& front : local.fronts) front.rows_begin = rows;
    local.rows.reserve(at(rows));
    local.relative_rows.reserve(at(rows));
    for (const index_t f : kept) {
        const Front& front = whole.fronts[at(f)];
        const auto begin = static_cast<std::ptrdiff_t>(front.rows_begin), end = begin + front.ncb();
        local.fronts[at(f)].rows_begin = static_cast<count_t>(local.rows.size());
        local.rows.insert(local.rows.end(), whole.rows.begin() + begin, whole.rows.begin() + end);
        local.relative_rows.insert(local.relative_rows.end(), whole.relative_rows.begin() + begin,
                                   whole.relative_rows.begin() + end);
    }
}

/// Entries of one front that are the rank's.
template <class Visit>
void for_entries_of(const Analysis& analysis, const RankMapping& mapping, index_t f, index_t rank, const Visit& visit) {
    const EntryMap& map = analysis.entry_map;
    const RankGrid& grid = mapping.grid[at(f)];
    const count_t begin = map.front_begin[at(f)], end = map.front_begin[at(f) + 1];
    if (grid.rank.size() == 1) {
        if (grid.rank.front() == rank && begin < end) visit(begin, end);
        return;
    }
    if (!is_on(grid, rank)) return;
    const TileGrid& tiles = mapping.tiles[at(f)];
    for (count_t e = begin; e < end; ++e)
        if (grid.owner(tile_of(tiles, map.row[at(e)]), tile_of(tiles, map.column[at(e)])) == rank) visit(e, e + 1);
}

void keep_entries(const Analysis& whole, const RankMapping& mapping, index_t rank, EntryMap& local) {
    const EntryMap& map = whole.entry_map;
    count_t entries = 0;
    for_each_entries(whole, mapping, rank, [&](count_t begin, count_t end) { entries += end - begin; });
    local.row.reserve(at(entries));
    local.column.reserve(at(entries));
    local.front_begin.reserve(map.front_begin.size());
    local.front_begin.push_back(0);
    for (index_t f = 0; f < whole.tree.front_count(); ++f) {
        for_entries_of(whole, mapping, f, rank, [&](count_t begin, count_t end) {
            local.row.insert(local.row.end(), map.row.begin() + begin, map.row.begin() + end);
            local.column.insert(local.column.end(), map.column.begin() + begin, map.column.begin() + end);
        });
        local.front_begin.push_back(static_cast<count_t>(local.row.size()));
    }
}

}  // namespace

void for_each_entries(const Analysis& analysis, const RankMapping& mapping, index_t rank,
                      const std::function<void(count_t begin, count_t end)>& visit) {
    for (index_t f = 0; f < analysis.tree.front_count(); ++f) for_entries_of(analysis, mapping, f, rank, visit);
}

Analysis local_analysis(const Analysis& whole, const RankMapping& mapping, index_t rank) {
    Analysis local;
    local.order = whole.order;
    local.entries = whole.entries;
    local.symmetry = whole.symmetry;
    local.factorization = whole.factorization;
    local.positive_diagonal = whole.positive_diagonal;
    local.pattern_hash = whole.pattern_hash;
    local.row_order = whole.row_order;
    local.column_order = whole.column_order;
    local.pair_with_next = whole.pair_with_next;
    local.tree.order = whole.tree.order;
    local.tree.fronts = whole.tree.fronts;
    local.tree.first_descendant = whole.tree.first_descendant;
    local.tree.child_begin = whole.tree.child_begin;
    local.tree.children = whole.tree.children;
    keep_rows(whole.tree, mapping, rank, local.tree);
    keep_entries(whole, mapping, rank, local.entry_map);
    local.mapping = whole.mapping;
    local.cost = whole.cost;
    local.options = whole.options;
    local.options.user_order.clear();
    local.report = whole.report;
    return local;
}

}  // namespace frond::detail

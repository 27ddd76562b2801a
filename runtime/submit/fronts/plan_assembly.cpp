// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/plan_assembly.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

template <class T>
void plan_tiles(FrontRun<T>& run) {
    const TileGrid& grid = run.tiled->grid();
    const index_t nt = grid.tiles();
    run.assemblies.resize(at(nt) * at(nt));
    for (index_t j = 0; j < nt; ++j)
        for (index_t i = 0; i < nt; ++i) {
            TileAssembly& a = run.assemblies[at(i) + at(j) * at(nt)];
            a.row_begin = grid.cut[at(i)];
            a.column_begin = grid.cut[at(j)];
            a.lower = i == j && is_symmetric(run.tiled->kind());
        }
}

template <class T>
void plan_entries(const Analysis& analysis, FrontRun<T>& run) {
    const EntryMap& map = analysis.entry_map;
    const TileGrid& grid = run.tiled->grid();
    const auto for_each_entry = [&](const auto& visit) {
        for (count_t e = map.front_begin[at(run.front)]; e < map.front_begin[at(run.front) + 1]; ++e) {
            const index_t i = tile_of(grid, map.row[at(e)]), j = tile_of(grid, map.column[at(e)]);
            if (!run.tiled->is_here(i, j)) continue;
            visit(at(i) + at(j) * at(grid.tiles()), e);
        }
    };
    std::vector<std::size_t> count(run.assemblies.size(), 0);  // lists that grow would take twice their bytes
    for_each_entry([&](std::size_t tile, count_t) { ++count[tile]; });
    for (std::size_t tile = 0; tile < count.size(); ++tile) run.assemblies[tile].entries.reserve(count[tile]);
    for_each_entry([&](std::size_t tile, count_t e) { run.assemblies[tile].entries.push_back(e); });
}

/// A run of a child's contribution rows that lie in one of its tiles and in one tile of the parent.
struct Segment {
    index_t begin = 0, end = 0;  // rows of the contribution block
    index_t child_tile = 0;  // in the child's grid
    index_t buffer_begin = 0;  // first contribution row of that tile
    index_t parent_tile = 0;
};

/// Cuts of the child's contribution rows, counted from 0.
template <class T>
std::vector<index_t> contribution_cuts(const FrontRun<T>& child, index_t ncb) {
    if (child.tiled == nullptr && child.received == nullptr) return {0, ncb};
    const TileGrid& grid = child.received != nullptr ? child.received->grid() : child.tiled->grid();
    std::vector<index_t> cuts;
    for (index_t t = grid.own_tiles; t <= grid.tiles(); ++t)
        cuts.push_back(grid.cut[at(t)] - grid.cut[at(grid.own_tiles)]);
    return cuts;
}

std::vector<Segment> segments(const std::vector<index_t>& cuts, index_t first_tile, const index_t* relative,
                              const TileGrid& parent) {
    std::vector<Segment> found;
    for (std::size_t t = 0; t + 1 < cuts.size(); ++t)
        for (index_t r = cuts[t]; r < cuts[t + 1];) {
            const index_t p = tile_of(parent, relative[r]);
            const index_t* stop = std::lower_bound(relative + r, relative + cuts[t + 1], parent.cut[at(p) + 1]);
            const auto end = static_cast<index_t>(stop - relative);
            found.push_back({r, end, first_tile + static_cast<index_t>(t), cuts[t], p});
            r = end;
        }
    return found;
}

template <class T>
void plan_child(const Analysis& analysis, FrontRun<T>& run, index_t number,
                std::vector<std::vector<PieceSource>>& sources) {
    const FrontRun<T>& child = *run.children[at(number)];
    const Front& front = analysis.tree.fronts[at(child.front)];
    const TileGrid& grid = run.tiled->grid();
    const bool symmetric = is_symmetric(run.tiled->kind());
    const index_t* relative = analysis.tree.relative_rows.data() + front.rows_begin;
    const index_t first_tile = child.received != nullptr ? child.received->grid().own_tiles
                               : child.tiled == nullptr  ? 0
                                                         : child.tiled->own_tiles();
    const auto parts = segments(contribution_cuts(child, front.ncb()), first_tile, relative, grid);
    for (std::size_t c = 0; c < parts.size(); ++c)
        for (std::size_t r = symmetric ? c : 0; r < parts.size(); ++r) {
            const Segment &row = parts[r], &column = parts[c];
            if (!run.tiled->is_here(row.parent_tile, column.parent_tile)) continue;
            const std::size_t tile = at(row.parent_tile) + at(column.parent_tile) * at(grid.tiles());
            run.assemblies[tile].pieces.push_back(
                {relative, row.begin, row.end, column.begin, column.end, row.buffer_begin, column.buffer_begin});
            sources[tile].push_back({number, row.child_tile, column.child_tile});
        }
}

}  // namespace

template <class T>
std::vector<std::vector<PieceSource>> plan_assembly(const Analysis& analysis, FrontRun<T>& run) {
    plan_tiles(run);
    plan_entries(analysis, run);
    std::vector<std::vector<PieceSource>> sources(run.assemblies.size());
    for (std::size_t c = 0; c < run.children.size(); ++c) plan_child(analysis, run, static_cast<index_t>(c), sources);
    return sources;
}

#define FROND_INSTANTIATE(T) \
    template std::vector<std::vector<PieceSource>> plan_assembly<T>(const Analysis&, FrontRun<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "memory/runtime_bytes.hpp"

#include <algorithm>

#include "frond/base/vector_index.hpp"
#include "engine/tiled_front.hpp"

namespace frond::detail {
namespace {

struct TaskCounts {
    count_t handles = 0, tasks = 0;

    TaskCounts& operator+=(const TaskCounts& other) {
        handles += other.handles;
        tasks += other.tasks;
        return *this;
    }
};

/// Counts the tasks of the tiles that are here. A tile is assembled, updated by the panels before it, and solved; of a
/// panel the diagonal tile is factored and its pivots are accepted. The second pass is one more.
TaskCounts counts_of_tiles(const TileGrid& grid, Factorization kind, TilesHere here) {
    TaskCounts c{0, 1};
    for (index_t j = 0; j < grid.tiles(); ++j)
        for (index_t i = is_symmetric(kind) ? j : 0; i < grid.tiles(); ++i) {
            if (!here.has(i, j)) continue;
            const index_t panel = std::min(i, j);
            ++c.handles;
            c.tasks += 1 + std::min(panel, grid.own_tiles);
            if (panel >= grid.own_tiles) continue;
            c.tasks += i == j ? 2 : 1;
            if (i == j && has_pivot_records(kind)) ++c.handles;
        }
    return c;
}

TaskCounts counts_of_whole(const TileGrid& grid, Factorization kind) {
    TaskCounts c = counts_of_tiles(grid, kind, {});
    if (!has_panel_backup(kind, true)) return c;
    c.handles +=
        backup_panels * grid.tiles() + 4;  // failed columns, delayed columns, factors of the second pass, start
    ++c.tasks;  // gathering failed columns
    return c;
}

/// Received tiles take turns in their buffers; parts of failed columns are with the diagonal tiles.
TaskCounts counts_of_part(const TileGrid& grid, Factorization kind, const TreeShare& share, index_t front) {
    TaskCounts c = counts_of_tiles(grid, kind, {&share.mapping.grid[at(front)], share.rank()});
    const ReceivedTiles received = received_tiles(share.mapping, share.rule, front, Rank{share.rank()});
    for (const std::vector<index_t>* const places : {&received.rows, &received.columns, &received.backups})
        for (const index_t columns : *places) c.handles += columns > 0;
    for (const std::uint8_t record : received.records) c.handles += record;
    if (has_panel_backup(kind, true)) c.handles += grid.own_tiles + grid.tiles() + 4;
    return c;
}

/// Tiles of contribution blocks of children that are sent or received here.
count_t exchanged_tiles(const Analysis& analysis, const TreeShare& share, index_t front) {
    count_t tiles = 0;
    for_each_message(analysis.tree, share.mapping, share.rule, front, [&](const Message& m) {
        const bool of_subtree = m.kind == MessageKind::contribution && m.source == share.rank() &&
                                analysis.mapping.subtree_of_front[at(m.row)] >= 0;
        tiles += of_subtree || (m.kind == MessageKind::contribution && m.destination == share.rank());
    });
    return tiles;
}

TaskCounts counts_of_fronts(const Analysis& analysis, const TreeShare* share) {
    TaskCounts all;
    for (index_t f = 0; f < analysis.tree.front_count(); ++f) {
        const index_t g = analysis.mapping.grid_of_front[at(f)];
        if (g < 0) continue;
        const TileGrid& grid = analysis.mapping.grids[at(g)];
        if (share != nullptr) all.handles += exchanged_tiles(analysis, *share, f);
        if (share != nullptr && !share->has_part(f)) continue;
        all += share != nullptr && share->has_shared_tiles(f) ? counts_of_part(grid, analysis.factorization, *share, f)
                                                              : counts_of_whole(grid, analysis.factorization);
    }
    return all;
}

}  // namespace

count_t most_pending_tasks(index_t workers) { return 800 + 200 * workers; }

count_t most_pending_tasks(const Analysis& analysis) { return most_pending_tasks(analysis.mapping.workers); }

RuntimeBytes runtime_bytes(const Analysis& analysis, const TreeShare* share, count_t most_pending) {
    count_t subtrees = 0;
    for (const Subtree& s : analysis.mapping.subtrees) subtrees += share == nullptr || share->owns(s.root_front);
    const count_t of_pivoting =
        has_pivot_records(analysis.factorization) ? 2 : 0;  // factors of the second pass, delayed columns
    TaskCounts all{(2 + of_pivoting) * subtrees, subtrees};
    all += counts_of_fronts(analysis, share);
    return {all.handles * handle_bytes, std::min(all.tasks, most_pending) * task_bytes};
}

}  // namespace frond::detail

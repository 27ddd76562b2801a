// SPDX-License-Identifier: BSD-3-Clause
// Whole units of an analysis on ranks.
#include <algorithm>
#include <string>

#include "../mapping_parts.hpp"
#include "balance_ranks.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/vector_index.hpp"
#include "ranks_parts.hpp"
#include "rank_tables.hpp"

namespace frond {
namespace {

/// Rows of a tile of a subtree's contribution block, which is cut only to be sent, where the parent's tiles are: of symmetric
/// kinds what is above the diagonal stays.
constexpr index_t block_rows = 256;

/// Cuts of the fronts that exchange messages.
std::vector<TileGrid> tiles_of_units(const AssemblyTree& tree, const Mapping& mapping) {
    std::vector<TileGrid> all(tree.fronts.size());
    for (index_t f = 0; f < tree.front_count(); ++f)
        if (mapping.grid_of_front[at(f)] >= 0) all[at(f)] = mapping.grids[at(mapping.grid_of_front[at(f)])];
    for (const Subtree& s : mapping.subtrees) {
        const Front& root = tree.fronts[at(s.root_front)];
        TileGrid& tiles = all[at(s.root_front)];
        tiles.cut = {0};
        if (root.npiv > 0) tiles.cut.push_back(root.npiv);
        tiles.own_tiles = tiles.tiles();
        if (root.parent < 0 || !has_rows(tree, root)) continue;
        const std::vector<index_t> segments = contribution_segments(tree, root, all[at(root.parent)], block_rows);
        for (std::size_t k = 1; k < segments.size(); ++k)
            for (index_t row = segments[k - 1]; row < segments[k]; row += block_rows)
                tiles.cut.push_back(root.npiv + std::min(row + block_rows, segments[k]));
    }
    return all;
}

/// True: the rank has a tile on or below the diagonal, which all kinds have.
bool has_tile(const RankGrid& grid, const TileGrid& tiles, index_t rank) {
    for (index_t j = 0; j < tiles.tiles(); ++j)
        for (index_t i = j; i < tiles.tiles(); ++i)
            if (grid.owner(i, j) == rank) return true;
    return false;
}

/// Several ranks, each of which has a tile.
bool is_of_all(const RankGrid& grid, const TileGrid& tiles) {
    const std::vector<index_t> members = grid.members();
    return members.size() > 1 && tiles.own_tiles > 0 &&
           std::all_of(members.begin(), members.end(), [&](index_t rank) { return has_tile(grid, tiles, rank); });
}

RankGrid grid_of_one(index_t rank) { return {1, 1, {rank}}; }

/// Chooses ranks for each unit, children before parents.
class Units {
public:
    Units(const AssemblyTree& tree, const Mapping& mapping, const std::vector<double>& flops, const RankMapping& dealt,
          bool share_fronts)
        : tree_(tree),
          mapping_(mapping),
          dealt_(dealt),
          group_(dealt.group),
          shares_fronts_(share_fronts),
          load_(at(dealt.ranks), 0.0),
          grid_(tree.fronts.size()) {
        for (index_t f = 0; f < tree_.front_count(); ++f)
            if (!dealt.is_shared(f)) load_[at(group_[at(f)].first)] += flops[at(f)];
    }

    std::vector<RankGrid> grids() {
        for (index_t f = 0; f < tree_.front_count(); ++f) {
            const index_t s = mapping_.subtree_of_front[at(f)];
            if (s < 0)
                grid_[at(f)] = grid_of_front(f);
            else if (mapping_.subtrees[at(s)].root_front == f)
                place_subtree(mapping_.subtrees[at(s)]);
        }
        return std::move(grid_);
    }

private:
    RankGrid grid_of_front(index_t f) const {
        if (group_[at(f)].count == 1) return grid_of_one(group_[at(f)].first);
        const TileGrid& tiles = mapping_.grids[at(mapping_.grid_of_front[at(f)])];
        const RankGrid& grid = dealt_.grid[at(f)];
        return shares_fronts_ && is_of_all(grid, tiles) ? grid : grid_of_one(rank_of_largest_child(f));
    }

    void place_subtree(const Subtree& s) {
        const RankInterval group = group_[at(s.root_front)];
        index_t rank = group.first;
        for (index_t r = group.first; r < group.first + group.count; ++r)
            if (load_[at(r)] < load_[at(rank)]) rank = r;
        if (group.count > 1) load_[at(rank)] += s.flops;
        for (index_t f = s.first_front; f <= s.root_front; ++f) grid_[at(f)] = grid_of_one(rank);
    }

    /// A shared child counts for the rank that leads it.
    index_t rank_of_largest_child(index_t f) const {
        const RankInterval group = group_[at(f)];
        index_t rank = group.first, largest = -1;
        for (count_t c = tree_.child_begin[at(f)]; c < tree_.child_begin[at(f) + 1]; ++c) {
            const index_t child = tree_.children[at(c)], of_child = grid_[at(child)].rank.front();
            if (tree_.fronts[at(child)].ncb() <= largest || !group.contains(of_child)) continue;
            largest = tree_.fronts[at(child)].ncb();
            rank = of_child;
        }
        return rank;
    }

    const AssemblyTree& tree_;
    const Mapping& mapping_;
    const RankMapping& dealt_;
    const std::vector<RankInterval>& group_;
    bool shares_fronts_;
    std::vector<double> load_;  // [ranks] flops of what is below the fronts that several could share
    std::vector<RankGrid> grid_;  // [fronts]
};

void check_grid(const Mapping& mapping, const RankMapping& dealt, index_t f) {
    const RankGrid& grid = dealt.grid[at(f)];
    const std::string front = "front " + std::to_string(f);
    FROND_EXPECTS(static_cast<count_t>(grid.rank.size()) == count_t{grid.rows} * grid.cols && !grid.rank.empty(),
                  front + " has a table of ranks without their number");
    for (const index_t rank : grid.rank)
        FROND_EXPECTS(rank >= 0 && rank < dealt.ranks, front + " has rank " + std::to_string(rank) +
                                                           "; ranks are 0 .. " + std::to_string(dealt.ranks - 1));
    if (grid.rank.size() == 1) return;
    FROND_EXPECTS(mapping.subtree_of_front[at(f)] < 0, front + " is in a subtree, which is of one rank");
    FROND_EXPECTS(is_of_all(grid, dealt.tiles[at(f)]), front + " has no tile for a rank; take a smaller table");
}

bool are_alike(const RankMachine& machine) {
    const std::vector<double>& rates = machine.flops_per_second;
    return std::all_of(rates.begin(), rates.end(), [&](double rate) { return rate == rates.front(); });
}

index_t rank_of_least_peak(const std::vector<RankPrediction>& ranks) {
    const auto less = [](const RankPrediction& a, const RankPrediction& b) { return a.peak_bytes < b.peak_bytes; };
    return static_cast<index_t>(std::min_element(ranks.begin(), ranks.end(), less) - ranks.begin());
}

/// Rank `first` becomes rank 0, which has the whole matrix and the whole analysis in addition to its part. Neighbours
/// stay neighbours.
std::vector<RankGrid> turned(std::vector<RankGrid> grids, index_t first, index_t ranks) {
    for (RankGrid& grid : grids)
        for (index_t& rank : grid.rank) rank = (rank + ranks - first) % ranks;
    return grids;
}

}  // namespace

RankMapping mapping_of_grids(const AssemblyTree& tree, const Mapping& mapping, std::vector<RankGrid> grid,
                             index_t ranks) {
    FROND_EXPECTS(grid.size() == tree.fronts.size(), "there is not one table of ranks a front; give one");
    RankMapping dealt;
    dealt.ranks = ranks;
    dealt.whole_tiles = true;
    dealt.in_turn.assign(tree.fronts.size() + 1, 0);
    dealt.tiles = tiles_of_units(tree, mapping);
    dealt.grid = std::move(grid);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        check_grid(mapping, dealt, f);
        const bool is_of_one = dealt.grid[at(f)].rank.size() == 1;
        RankInterval group{is_of_one ? dealt.grid[at(f)].rank.front() : 0,
                           is_of_one ? 1 : ranks};  // and of what is below
        for (count_t c = tree.child_begin[at(f)]; c < tree.child_begin[at(f) + 1]; ++c)
            if (dealt.group[at(tree.children[at(c)])] != group) group = {0, ranks};
        dealt.group.push_back(group);
    }
    return dealt;
}

RankMapping mapping_of_owners(const AssemblyTree& tree, const Mapping& mapping, const std::vector<index_t>& owner,
                              index_t ranks) {
    FROND_EXPECTS(owner.size() == tree.fronts.size(), "owner has not one entry a front; give one");
    std::vector<RankGrid> grid;
    for (const index_t rank : owner) grid.push_back(grid_of_one(rank));
    return mapping_of_grids(tree, mapping, std::move(grid), ranks);
}

RankMapping map_units(const AssemblyTree& tree, const Mapping& mapping, const std::vector<double>& front_flops,
                      const RankMachine& machine, const MessageRule& rule, bool share_fronts, index_t threads) {
    const RankMapping dealt = map_ranks(tree, front_flops, machine, rule, threads);
    std::vector<RankGrid> grids = Units(tree, mapping, front_flops, dealt, share_fronts).grids();
    RankMapping units = mapping_of_grids(tree, mapping, grids, dealt.ranks);
    const bool without_budgets = machine.budget_bytes.empty();
    if (without_budgets && are_alike(machine)) {
        grids = balanced_ranks(tree, front_flops, std::move(units), machine, rule);
        units = mapping_of_grids(tree, mapping, grids, dealt.ranks);
    }
    const std::vector<RankPrediction> ranks = predict_ranks(tree, front_flops, units, rule);
    if (without_budgets) {
        const index_t least = rank_of_least_peak(ranks);
        if (least == 0 || !are_alike(machine)) return units;
        return mapping_of_grids(tree, mapping, turned(std::move(grids), least, dealt.ranks), dealt.ranks);
    }
    for (index_t r = 0; r < units.ranks; ++r)
        if (ranks[at(r)].peak_bytes > machine.budget_bytes[at(r)])
            refuse_peak(r, units.ranks, ranks[at(r)].peak_bytes, machine.budget_bytes[at(r)]);
    return units;
}

/// Tables begin with another rank in each front.
RankMapping share_all_fronts(const AssemblyTree& tree, const Mapping& mapping, const RankMapping& dealt,
                             const MessageRule& rule) {
    RankTables tables_of_ranks(rule.kind != Factorization::lu);
    std::vector<RankGrid> grids = dealt.grid;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        if (mapping.grid_of_front[at(f)] < 0) continue;
        const TileGrid& tiles = mapping.grids[at(mapping.grid_of_front[at(f)])];
        for (index_t count = dealt.ranks; count > 1; --count) {
            RankGrid grid = tables_of_ranks.table(count, tiles.tiles());
            for (index_t& rank : grid.rank) rank = (rank + f) % dealt.ranks;
            if (!is_of_all(grid, tiles)) continue;
            grids[at(f)] = std::move(grid);
            break;
        }
    }
    return mapping_of_grids(tree, mapping, std::move(grids), dealt.ranks);
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// Whole units of an analysis on ranks.
#include <algorithm>
#include <string>

#include "frond/base/contract.hpp"
#include "frond/base/vector_index.hpp"
#include "ranks_parts.hpp"

namespace frond {
namespace {

/// Rows of a tile of a subtree's contribution block, which is cut only to be sent: of symmetric kinds what is above the
/// diagonal stays.
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
        for (index_t row = root.npiv; row < root.nfront; row += block_rows)
            tiles.cut.push_back(std::min(row + block_rows, root.nfront));
    }
    return all;
}

/// Chooses a rank for each unit, children before parents.
class Units {
public:
    Units(const AssemblyTree& tree, const Mapping& mapping, const std::vector<double>& flops, const RankMapping& dealt)
        : tree_(tree), mapping_(mapping), group_(dealt.group), load_(at(dealt.ranks), 0.0), owner_(tree.fronts.size()) {
        for (index_t f = 0; f < tree_.front_count(); ++f)
            if (!dealt.is_shared(f)) load_[at(group_[at(f)].first)] += flops[at(f)];
    }

    std::vector<index_t> owners() {
        for (index_t f = 0; f < tree_.front_count(); ++f) {
            const index_t s = mapping_.subtree_of_front[at(f)];
            if (s < 0)
                owner_[at(f)] = group_[at(f)].count > 1 ? rank_of_largest_child(f) : group_[at(f)].first;
            else if (mapping_.subtrees[at(s)].root_front == f)
                place_subtree(mapping_.subtrees[at(s)]);
        }
        return owner_;
    }

private:
    void place_subtree(const Subtree& s) {
        const RankInterval group = group_[at(s.root_front)];
        index_t rank = group.first;
        for (index_t r = group.first; r < group.first + group.count; ++r)
            if (load_[at(r)] < load_[at(rank)]) rank = r;
        if (group.count > 1) load_[at(rank)] += s.flops;
        for (index_t f = s.first_front; f <= s.root_front; ++f) owner_[at(f)] = rank;
    }

    index_t rank_of_largest_child(index_t f) const {
        const RankInterval group = group_[at(f)];
        index_t rank = group.first, largest = -1;
        for (count_t c = tree_.child_begin[at(f)]; c < tree_.child_begin[at(f) + 1]; ++c) {
            const index_t child = tree_.children[at(c)], of_child = owner_[at(child)];
            if (tree_.fronts[at(child)].ncb() <= largest || !group.contains(of_child)) continue;
            largest = tree_.fronts[at(child)].ncb();
            rank = of_child;
        }
        return rank;
    }

    const AssemblyTree& tree_;
    const Mapping& mapping_;
    const std::vector<RankInterval>& group_;
    std::vector<double> load_;  // [ranks] flops of what is below the fronts that several could share
    std::vector<index_t> owner_;  // [fronts]
};

}  // namespace

RankMapping mapping_of_owners(const AssemblyTree& tree, const Mapping& mapping, const std::vector<index_t>& owner,
                              index_t ranks) {
    FROND_EXPECTS(owner.size() == tree.fronts.size(), "owner has not one entry a front; give one");
    RankMapping dealt;
    dealt.ranks = ranks;
    dealt.whole_fronts = true;
    dealt.in_turn.assign(tree.fronts.size() + 1, 0);
    dealt.tiles = tiles_of_units(tree, mapping);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        FROND_EXPECTS(owner[at(f)] >= 0 && owner[at(f)] < ranks, "front " + std::to_string(f) + " has rank " +
                                                                     std::to_string(owner[at(f)]) +
                                                                     "; ranks are 0 .. " + std::to_string(ranks - 1));
        dealt.grid.push_back({1, 1, {owner[at(f)]}});
        RankInterval group{owner[at(f)], 1};  // of what is below, too
        for (count_t c = tree.child_begin[at(f)]; c < tree.child_begin[at(f) + 1]; ++c)
            if (dealt.group[at(tree.children[at(c)])] != group) group = {0, ranks};
        dealt.group.push_back(group);
    }
    return dealt;
}

RankMapping map_units(const AssemblyTree& tree, const Mapping& mapping, const std::vector<double>& front_flops,
                      const RankMachine& machine, const MessageRule& rule) {
    const RankMapping dealt = map_ranks(tree, front_flops, machine, rule);
    RankMapping units =
        mapping_of_owners(tree, mapping, Units(tree, mapping, front_flops, dealt).owners(), dealt.ranks);
    if (machine.budget_bytes.empty()) return units;
    const std::vector<RankPrediction> ranks = predict_ranks(tree, front_flops, units, rule);
    for (index_t r = 0; r < units.ranks; ++r)
        if (ranks[at(r)].peak_bytes > machine.budget_bytes[at(r)])
            refuse_peak(r, units.ranks, ranks[at(r)].peak_bytes, machine.budget_bytes[at(r)]);
    return units;
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/pieces.hpp"

#include <algorithm>
#include <numeric>

#include "frond/base/vector_index.hpp"

namespace frond {
namespace {

/// Copies what concerns these fronts.
class Forest {
public:
    Forest(const Analysis& whole, const std::vector<index_t>& fronts)
        : whole_(whole), fronts_(fronts), number_(whole.tree.fronts.size(), -1) {
        for (std::size_t k = 0; k < fronts_.size(); ++k) number_[at(fronts_[k])] = static_cast<index_t>(k);
    }

    Analysis make() {
        forest_.symmetry = whole_.symmetry;
        forest_.factorization = whole_.factorization;
        forest_.positive_diagonal = whole_.positive_diagonal;
        forest_.options = whole_.options;
        forest_.options.user_order.clear();
        add_fronts();
        add_children();
        add_entries();
        add_units();
        add_costs();
        return std::move(forest_);
    }

private:
    void add_fronts() {
        for (const index_t f : fronts_) {
            Front front = whole_.tree.fronts[at(f)];
            const auto begin = whole_.tree.relative_rows.begin() + front.rows_begin;
            add_pairs(front);
            front.first_column = forest_.order;
            front.parent = front.parent < 0 ? -1 : number_[at(front.parent)];
            front.rows_begin = static_cast<count_t>(forest_.tree.relative_rows.size());
            forest_.tree.relative_rows.insert(forest_.tree.relative_rows.end(), begin, begin + front.ncb());
            forest_.order += front.npiv;
            forest_.tree.first_descendant.push_back(number_[at(whole_.tree.first_descendant[at(f)])]);
            forest_.tree.fronts.push_back(front);
        }
        forest_.tree.order = forest_.order;
    }

    void add_pairs(const Front& front) {
        if (whole_.pair_with_next.empty()) return;
        const auto begin = whole_.pair_with_next.begin() + front.first_column;
        forest_.pair_with_next.insert(forest_.pair_with_next.end(), begin, begin + front.npiv);
    }

    void add_children() {
        const AssemblyTree& tree = whole_.tree;
        forest_.tree.child_begin.push_back(0);
        for (const index_t f : fronts_) {
            for (count_t c = tree.child_begin[at(f)]; c < tree.child_begin[at(f) + 1]; ++c)
                forest_.tree.children.push_back(number_[at(tree.children[at(c)])]);
            forest_.tree.child_begin.push_back(static_cast<count_t>(forest_.tree.children.size()));
        }
    }

    void add_entries() {
        const EntryMap& from = whole_.entry_map;
        EntryMap& to = forest_.entry_map;
        to.front_begin.push_back(0);
        for (const index_t f : fronts_) {
            const count_t begin = from.front_begin[at(f)], end = from.front_begin[at(f) + 1];
            to.row.insert(to.row.end(), from.row.begin() + begin, from.row.begin() + end);
            to.column.insert(to.column.end(), from.column.begin() + begin, from.column.begin() + end);
            to.front_begin.push_back(static_cast<count_t>(to.row.size()));
        }
        to.source.resize(to.row.size());
        std::iota(to.source.begin(), to.source.end(), count_t{0});
        forest_.entries = static_cast<count_t>(to.row.size());
    }

    /// A subtree of the mapping is of one rank, so that it is in a branch, or several trees of it are, or none.
    void add_units() {
        const Mapping& from = whole_.mapping;
        Mapping& to = forest_.mapping;
        to.workers = from.workers;
        for (const Subtree& s : from.subtrees) {
            if (number_[at(s.root_front)] < 0) continue;
            to.subtrees.push_back(s);
            to.subtrees.back().first_front = number_[at(s.first_front)];
            to.subtrees.back().root_front = number_[at(s.root_front)];
        }
        std::size_t subtree = 0;
        for (std::size_t k = 0; k < fronts_.size(); ++k) {
            const index_t grid = from.grid_of_front[at(fronts_[k])], local = static_cast<index_t>(k);
            to.grid_of_front.push_back(grid < 0 ? -1 : static_cast<index_t>(to.grids.size()));
            if (grid >= 0) to.grids.push_back(from.grids[at(grid)]);
            while (grid < 0 && to.subtrees[subtree].root_front < local) ++subtree;
            to.subtree_of_front.push_back(grid < 0 ? static_cast<index_t>(subtree) : -1);
            to.bottom_level_flops.push_back(from.bottom_level_flops[at(fronts_[k])]);
        }
    }

    void add_costs() {
        CostModel& cost = forest_.cost;
        for (std::size_t k = 0; k < fronts_.size(); ++k) {
            const Front& front = forest_.tree.fronts[k];
            const count_t rows = front.nfront, lower = rows * front.npiv - count_t{front.npiv} * (front.npiv - 1) / 2;
            cost.front_flops.push_back(whole_.cost.front_flops[at(fronts_[k])]);
            cost.flops += cost.front_flops.back();
            cost.factor_entries += forest_.factorization == Factorization::lu ? 2 * lower - front.npiv : lower;
            cost.largest_front = std::max(cost.largest_front, front.nfront);
        }
    }

    const Analysis& whole_;
    const std::vector<index_t>& fronts_;
    std::vector<index_t> number_;  // [fronts of the tree] in the forest, or -1
    Analysis forest_;
};

}  // namespace

std::vector<index_t> fronts_of_branches(const AssemblyTree& tree, const RankMapping& mapping, index_t rank) {
    std::vector<char> is_own(tree.fronts.size(), 0);
    std::vector<index_t> fronts;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const std::vector<index_t>& ranks = mapping.grid[at(f)].rank;
        const auto children = tree.children.begin();
        const bool all_below = std::all_of(children + tree.child_begin[at(f)], children + tree.child_begin[at(f) + 1],
                                           [&](index_t child) { return is_own[at(child)] != 0; });
        if (!all_below || ranks.size() != 1 || ranks.front() != rank) continue;
        is_own[at(f)] = 1;
        fronts.push_back(f);
    }
    return fronts;
}

Branches branches_of(const Analysis& analysis, const RankMapping& mapping, index_t rank) {
    Branches branches;
    branches.front = fronts_of_branches(analysis.tree, mapping, rank);
    if (branches.front.empty()) return branches;
    branches.forest = std::make_shared<const Analysis>(Forest(analysis, branches.front).make());
    return branches;
}

}  // namespace frond

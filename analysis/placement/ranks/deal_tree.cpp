// SPDX-License-Identifier: BSD-3-Clause
#include "budget_parts.hpp"

#include <algorithm>

#include "frond/base/vector_index.hpp"

namespace frond {
namespace {

/// Done in turn by a whole group, a subtree is shared if it has at least this part of what a rank of the group has to
/// do; a smaller one goes whole to one rank.
constexpr double worth_sharing = 0.125;

class TreeDealer {
public:
    TreeDealer(const AssemblyTree& tree, const std::vector<double>& below, const Deal& deal)
        : tree_(tree), below_(below), deal_(deal), load_(deal.weight.size(), 0.0), group_(tree.fronts.size()) {
        std::vector<index_t> roots;
        for (index_t f = 0; f < tree.front_count(); ++f)
            if (tree.fronts[at(f)].parent < 0) roots.push_back(f);
        share(roots, {0, static_cast<index_t>(load_.size())}, deal.in_turn[tree.fronts.size()] != 0);
        for (index_t f = tree.front_count() - 1; f >= 0; --f) share_children(f);
    }

    std::vector<RankInterval> groups() { return std::move(group_); }

private:
    /// What was taken for the front goes to its children, in addition to what its ranks have from elsewhere.
    void share_children(index_t f) {
        const RankInterval ranks = group_[at(f)];
        for (index_t r = ranks.first; r < ranks.first + ranks.count; ++r) load_[at(r)] -= below_[at(f)] / weight(ranks);
        const auto first = tree_.children.begin();
        share({first + tree_.child_begin[at(f)], first + tree_.child_begin[at(f) + 1]}, ranks,
              deal_.in_turn[at(f)] != 0);
    }

    double weight(RankInterval ranks) const {
        double sum = 0;
        for (index_t r = ranks.first; r < ranks.first + ranks.count; ++r) sum += deal_.weight[at(r)];
        return sum;
    }

    void share(std::vector<index_t> subtrees, RankInterval ranks, bool in_turn) {
        if (ranks.count == 1) {
            for (const index_t s : subtrees) take(s, ranks);
            return;
        }
        std::sort(subtrees.begin(), subtrees.end(), [&](index_t a, index_t b) {
            return below_[at(a)] > below_[at(b)] || (below_[at(a)] == below_[at(b)] && a < b);
        });
        double work = 0;
        for (const index_t s : subtrees) work += below_[at(s)];
        const double enough = in_turn ? worth_sharing : 1;
        const auto is_large = [&](index_t s) {
            return below_[at(s)] > 0 && below_[at(s)] * ranks.count >= work * enough;
        };
        const auto small = std::find_if_not(subtrees.begin(), subtrees.end(), is_large);
        if (in_turn)
            for (auto s = subtrees.begin(); s != small; ++s) take(*s, ranks);
        else
            side_by_side({subtrees.begin(), small}, ranks, weight(ranks) / work, small == subtrees.end());
        one_each({small, subtrees.end()}, ranks);
    }

    /// Neighbouring ranks for each. weight_of_work: what a flop is worth. Without small subtrees the last one gets all
    /// that is left.
    void side_by_side(const std::vector<index_t>& subtrees, RankInterval ranks, double weight_of_work, bool is_all) {
        index_t first = ranks.first, left = ranks.count;
        for (std::size_t k = 0; k < subtrees.size(); ++k) {
            const double wanted = below_[at(subtrees[k])] * weight_of_work;
            const auto others = static_cast<index_t>(subtrees.size() - k - 1);
            index_t count = 1;
            while (count < left - others && is_one_more(wanted - weight({first, count}), first + count)) ++count;
            if (is_all && others == 0) count = left;
            take(subtrees[k], {first, count});
            first += count;
            left -= count;
        }
    }

    bool is_one_more(double missing, index_t rank) const {
        const double next = deal_.weight[at(rank)], almost_none = 1e-9 * next;
        switch (deal_.rounding) {
            case Rounding::up:
                return missing > almost_none;
            case Rounding::down:
                return missing >= next - almost_none;
            case Rounding::nearest:
                break;
        }
        return missing > next / 2;
    }

    void take(index_t subtree, RankInterval ranks) {
        group_[at(subtree)] = ranks;
        const double seconds = below_[at(subtree)] / weight(ranks);
        for (index_t r = ranks.first; r < ranks.first + ranks.count; ++r) load_[at(r)] += seconds;
    }

    void one_each(const std::vector<index_t>& subtrees, RankInterval ranks) {
        for (const index_t s : subtrees) {
            index_t best = ranks.first;
            for (index_t r = ranks.first; r < ranks.first + ranks.count; ++r)
                if (end_of(r, s) < end_of(best, s)) best = r;
            take(s, {best, 1});
        }
    }
    double end_of(index_t rank, index_t subtree) const {
        return load_[at(rank)] + below_[at(subtree)] / deal_.weight[at(rank)];
    }

    const AssemblyTree& tree_;
    const std::vector<double>& below_;
    const Deal& deal_;
    std::vector<double> load_;  // work over weight
    std::vector<RankInterval> group_;
};

}  // namespace

std::vector<RankInterval> deal_tree(const AssemblyTree& tree, const std::vector<double>& below, const Deal& deal) {
    return TreeDealer(tree, below, deal).groups();
}

}  // namespace frond

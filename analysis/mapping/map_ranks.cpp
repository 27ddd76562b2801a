// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/rank_mapping.hpp"

#include <algorithm>
#include <string>

#include "frond/base/contract.hpp"
#include "frond/base/vector_index.hpp"
#include "mapping_parts.hpp"
#include "ranks_parts.hpp"

namespace frond {
namespace {

class RankMapper {
public:
    RankMapper(const AssemblyTree& tree, const std::vector<double>& front_flops, const RankMachine& machine)
        : tree_(tree),
          flops_(front_flops),
          below_(front_flops),
          machine_(machine),
          load_(machine.flops_per_second.size(), 0.0) {
        for (index_t f = 0; f < tree.front_count(); ++f)
            if (tree.fronts[at(f)].parent >= 0) below_[at(tree.fronts[at(f)].parent)] += below_[at(f)];
        mapping_.ranks = static_cast<index_t>(load_.size());
        mapping_.group.resize(tree.fronts.size());
        mapping_.grid.resize(tree.fronts.size());
        mapping_.tiles.resize(tree.fronts.size());
    }

    RankMapping map() {
        std::vector<index_t> roots;
        for (index_t f = 0; f < tree_.front_count(); ++f)
            if (tree_.fronts[at(f)].parent < 0) roots.push_back(f);
        deal(roots, {0, mapping_.ranks});
        for (index_t f = tree_.front_count() - 1; f >= 0; --f) deal_children(f);
        std::fill(load_.begin(), load_.end(), 0.0);
        for (index_t f = 0; f < tree_.front_count(); ++f) carry_out(f);
        for (index_t f = 0; f < tree_.front_count(); ++f) cut(f);
        return std::move(mapping_);
    }

private:
    std::vector<index_t> children_of(index_t f) const {
        const auto first = tree_.children.begin();
        return {first + tree_.child_begin[at(f)], first + tree_.child_begin[at(f) + 1]};
    }

    /// What was taken for the front goes to its children, beside what its ranks were dealt from elsewhere.
    void deal_children(index_t f) {
        const RankInterval ranks = mapping_.group[at(f)];
        for (index_t r = ranks.first; r < ranks.first + ranks.count; ++r) load_[at(r)] -= below_[at(f)] / rate(ranks);
        deal(children_of(f), ranks);
    }

    double rate(RankInterval ranks) const {
        double sum = 0;
        for (index_t r = ranks.first; r < ranks.first + ranks.count; ++r) sum += machine_.flops_per_second[at(r)];
        return sum;
    }

    /// Subtrees among ranks: those that are worth a rank get neighbours, the others one each.
    void deal(std::vector<index_t> subtrees, RankInterval ranks) {
        if (ranks.count == 1) {
            for (const index_t s : subtrees) take(s, ranks);
            return;
        }
        std::sort(subtrees.begin(), subtrees.end(), [&](index_t a, index_t b) {
            return below_[at(a)] > below_[at(b)] || (below_[at(a)] == below_[at(b)] && a < b);
        });
        double work = 0;
        for (const index_t s : subtrees) work += below_[at(s)];
        const auto is_large = [&](index_t s) { return below_[at(s)] > 0 && below_[at(s)] * ranks.count >= work; };
        const auto small = std::find_if_not(subtrees.begin(), subtrees.end(), is_large);
        deal_large({subtrees.begin(), small}, ranks, rate(ranks) / work, small == subtrees.end());
        deal_small({small, subtrees.end()}, ranks);
    }

    /// rate_of_work: what a flop is worth. Without small subtrees the last one gets all that is left.
    void deal_large(const std::vector<index_t>& subtrees, RankInterval ranks, double rate_of_work, bool is_all) {
        index_t first = ranks.first, left = ranks.count;
        for (std::size_t k = 0; k < subtrees.size(); ++k) {
            const double wanted = below_[at(subtrees[k])] * rate_of_work;
            const auto others = static_cast<index_t>(subtrees.size() - k - 1);
            index_t count = 1;
            // One rank more where that comes nearer to the share.
            while (count < left - others && wanted - rate({first, count}) > rate({first + count, 1}) / 2) ++count;
            if (is_all && others == 0) count = left;
            take(subtrees[k], {first, count});
            first += count;
            left -= count;
        }
    }

    void take(index_t subtree, RankInterval ranks) {
        mapping_.group[at(subtree)] = ranks;
        const double seconds = below_[at(subtree)] / rate(ranks);
        for (index_t r = ranks.first; r < ranks.first + ranks.count; ++r) load_[at(r)] += seconds;
    }

    void deal_small(const std::vector<index_t>& subtrees, RankInterval ranks) {
        for (const index_t s : subtrees) {
            index_t best = ranks.first;
            for (index_t r = ranks.first; r < ranks.first + ranks.count; ++r)
                if (end_of(r, s) < end_of(best, s)) best = r;
            take(s, {best, 1});
        }
    }
    double end_of(index_t rank, index_t subtree) const {
        return load_[at(rank)] + below_[at(subtree)] / machine_.flops_per_second[at(rank)];
    }

    /// Bottom up, when it is known where the children are.
    void carry_out(index_t f) {
        const RankInterval ranks = mapping_.group[at(f)];
        const index_t count = quickest_ranks(tree_.fronts[at(f)], flops_[at(f)], ranks.count, machine_);
        const RankGrid grid = grid_for(first_of(f, ranks, count), count);
        mapping_.grid[at(f)] = grid;
        for (index_t r = grid.first; r < grid.first + grid.size(); ++r)
            load_[at(r)] += flops_[at(f)] / rate({grid.first, grid.size()});
    }

    /// The neighbours among `ranks` that have least to do and to fetch.
    index_t first_of(index_t f, RankInterval ranks, index_t count) const {
        index_t best = ranks.first;
        double least = -1;
        for (index_t first = ranks.first; first + count <= ranks.first + ranks.count; ++first) {
            double seconds = fetch_seconds(f, {first, count});
            for (index_t r = first; r < first + count; ++r) seconds += load_[at(r)] / count;
            if (least >= 0 && seconds >= least) continue;
            least = seconds;
            best = first;
        }
        return best;
    }

    double fetch_seconds(index_t f, RankInterval ranks) const {
        if (mapping_.group[at(f)].count == 1) return 0;
        double bytes = 0;
        for (const index_t child : children_of(f)) {
            const RankGrid& from = mapping_.grid[at(child)];
            const double block = static_cast<double>(tree_.fronts[at(child)].ncb()) * tree_.fronts[at(child)].ncb();
            for (index_t r = from.first; r < from.first + from.size(); ++r)
                if (!ranks.contains(r)) bytes += block / from.size() * static_cast<double>(machine_.scalar_bytes);
        }
        return bytes / machine_.bytes_per_second;
    }

    /// Fronts inside a piece exchange nothing; those of one rank have no more tiles than their parents need.
    void cut(index_t f) {
        const Front& front = tree_.fronts[at(f)];
        const bool in_piece = !mapping_.is_shared(f) && front.parent >= 0 && !mapping_.is_shared(front.parent);
        if (in_piece) return;
        const index_t ranks = mapping_.grid[at(f)].size();
        mapping_.tiles[at(f)] =
            cut_front(tree_, f, ranks > 1 ? tile_size_of(front.nfront, ranks, 0) : std::max<index_t>(front.nfront, 1),
                      {});
    }

    const AssemblyTree& tree_;
    const std::vector<double>& flops_;
    std::vector<double> below_;  // flops of a subtree
    const RankMachine& machine_;
    std::vector<double> load_;  // seconds
    RankMapping mapping_;
};

}  // namespace

RankMapping map_ranks(const AssemblyTree& tree, const std::vector<double>& front_flops, const RankMachine& machine) {
    FROND_EXPECTS(!machine.flops_per_second.empty(), "there is no rank; give the rate of one or more");
    FROND_EXPECTS(front_flops.size() == tree.fronts.size(), "front_flops has not one entry a front; give one");
    for (const double r : machine.flops_per_second)
        FROND_EXPECTS(r > 0, "the rate of a rank is " + std::to_string(r) + "; rates must be positive");
    return RankMapper(tree, front_flops, machine).map();
}

}  // namespace frond

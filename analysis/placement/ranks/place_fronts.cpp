// SPDX-License-Identifier: BSD-3-Clause
#include "budget_parts.hpp"

#include <algorithm>

#include "frond/base/vector_index.hpp"

namespace frond {
namespace {

/// The most ranks of an assignment, which costs ranks^3. A larger group is represented by those that have least to do
/// and most to keep.
constexpr index_t most_assigned = 256;
/// So many numbers of ranks are tried for a front where there is no room.
constexpr std::size_t most_counts = 6;
/// Seconds that a byte above a budget counts: more than any other cost.
constexpr double byte_too_many_seconds = 1e3;

class FrontPlacer {
public:
    FrontPlacer(const AssemblyTree& tree, const std::vector<double>& front_flops, std::vector<RankInterval> group,
                const RankMachine& machine, const MessageRule& rule, RankTables& tables)
        : tree_(tree),
          flops_(front_flops),
          machine_(machine),
          rule_(rule),
          tables_(tables),
          load_(machine.flops_per_second.size(), 0.0),
          counts_(tree.fronts.size()) {
        RankMapping& mapping = result_.mapping;
        mapping.ranks = static_cast<index_t>(load_.size());
        mapping.group = std::move(group);
        mapping.grid.resize(tree.fronts.size());
        std::vector<index_t> first_choice(tree.fronts.size(), 1);
        for (index_t f = 0; f < tree.front_count(); ++f) {
            if (!mapping.is_shared(f)) continue;
            counts_[at(f)] = quickest_ranks(tree.fronts[at(f)], flops_[at(f)],
                                            std::min(mapping.group[at(f)].count, most_assigned), machine, rule, tables);
            first_choice[at(f)] = counts_[at(f)].front();
            counts_[at(f)].resize(std::min(counts_[at(f)].size(), most_counts));
        }
        mapping.tiles = cut_shared_fronts(tree, mapping, first_choice);
    }

    PlayedMapping place() {
        RankWalk walk(tree_, flops_, result_.mapping, rule_, machine_);
        walk_ = &walk;
        for (index_t f = 0; f < tree_.front_count(); ++f) {
            RankGrid& grid = result_.mapping.grid[at(f)];
            if (result_.mapping.is_shared(f)) {
                grid = with_room(f);
                add_load(f, grid.members());
            } else {
                const index_t rank = result_.mapping.group[at(f)].first;
                if (ends_piece(result_.mapping, f)) grid.rank = {rank};
                load_[at(rank)] += flops_[at(f)] / machine_.flops_per_second[at(rank)];
            }
            walk.add(f);
        }
        result_.ranks = walk.predictions();
        result_.seconds = walk.seconds();
        return std::move(result_);
    }

private:
    bool ends_piece(const RankMapping& mapping, index_t f) const {
        const index_t parent = tree_.fronts[at(f)].parent;
        return parent < 0 || mapping.is_shared(parent);
    }

    struct Placed {
        RankGrid grid;
        count_t too_many_bytes = 0;  // of the rank that is the most above its budget
    };

    void add_load(index_t f, const std::vector<index_t>& ranks) {
        double rate = 0;
        for (const index_t r : ranks) rate += machine_.flops_per_second[at(r)];
        for (const index_t r : ranks) load_[at(r)] += flops_[at(f)] / rate;
    }

    /// The quickest number of ranks with which none is above its budget, or with which ranks are the least above.
    RankGrid with_room(index_t f) {
        Placed best;
        for (const index_t count : counts_[at(f)]) {
            Placed placed = place(f, count);
            const bool better = best.grid.rank.empty() || placed.too_many_bytes < best.too_many_bytes;
            if (count == counts_[at(f)].front() || better) best = std::move(placed);
            if (best.too_many_bytes == 0) break;
        }
        return best.grid;
    }

    /// Places of the table are assigned to ranks.
    Placed place(index_t f, index_t count) {
        Placed placed{tables_.table(count, least_lines(tree_.fronts[at(f)])), 0};
        const std::vector<index_t> ranks = candidates(f);
        const auto columns = static_cast<index_t>(ranks.size());
        const std::vector<double> kept = kept_bytes(f, placed.grid, count, ranks);
        const std::vector<FrontShare> shares = shares_of(placed.grid, result_.mapping.tiles[at(f)], rule_.kind);
        std::vector<double> costs(kept.size());
        for (index_t place = 0; place < count; ++place)
            for (index_t c = 0; c < columns; ++c)
                costs[at(place * columns + c)] =
                    load_[at(ranks[at(c)])] / count - kept[at(place * columns + c)] / machine_.bytes_per_second +
                    byte_too_many_seconds * static_cast<double>(too_many(ranks[at(c)], shares[at(place)]));
        const std::vector<index_t> column = assign(costs, count, columns);
        for (index_t place = 0; place < count; ++place)
            placed.too_many_bytes =
                std::max(placed.too_many_bytes, too_many(ranks[at(column[at(place)])], shares[at(place)]));
        for (index_t& r : placed.grid.rank) r = ranks[at(column[at(r)])];
        return placed;
    }

    count_t too_many(index_t rank, const FrontShare& share) const {
        if (machine_.budget_bytes.empty()) return 0;
        const count_t needed =
            walk_->held_bytes(Rank{rank}) + (share.factors + share.contribution) * rule_.scalar_bytes;
        return std::max<count_t>(0, needed - machine_.budget_bytes[at(rank)]);
    }

    std::vector<index_t> candidates(index_t f) const {
        const RankInterval group = result_.mapping.group[at(f)];
        std::vector<index_t> ranks;
        for (index_t r = group.first; r < group.first + group.count; ++r) ranks.push_back(r);
        if (group.count <= most_assigned) return ranks;
        std::stable_sort(ranks.begin(), ranks.end(), [&](index_t a, index_t b) { return load_[at(a)] < load_[at(b)]; });
        ranks.resize(at(most_assigned));
        return ranks;
    }

    /// [places * ranks] of the children's contribution blocks, what need not be sent if a rank has a position of the
    /// table.
    std::vector<double> kept_bytes(index_t f, const RankGrid& table, index_t count,
                                   const std::vector<index_t>& ranks) const {
        const RankInterval group = result_.mapping.group[at(f)];
        std::vector<index_t> column(at(group.count), -1);
        for (std::size_t c = 0; c < ranks.size(); ++c) column[at(ranks[c] - group.first)] = static_cast<index_t>(c);
        std::vector<double> kept(at(count) * ranks.size(), 0.0);
        for (count_t c = tree_.child_begin[at(f)]; c < tree_.child_begin[at(f) + 1]; ++c) {
            const RankGrid& from = result_.mapping.grid[at(tree_.children[at(c)])];
            for (const auto& [ends, scalars] :
                 exchange_between(tree_, result_.mapping.tiles, rule_.kind, tree_.children[at(c)], from, table)) {
                const index_t of_rank = column[at(ends.first - group.first)];
                if (of_rank >= 0)
                    kept[at(ends.second) * ranks.size() + at(of_rank)] +=
                        static_cast<double>(scalars * rule_.scalar_bytes);
            }
        }
        return kept;
    }

    const AssemblyTree& tree_;
    const std::vector<double>& flops_;
    const RankMachine& machine_;
    const MessageRule& rule_;
    RankTables& tables_;
    PlayedMapping result_;
    RankWalk* walk_ = nullptr;
    std::vector<double> load_;  // seconds
    std::vector<std::vector<index_t>>
        counts_;  // [fronts] numbers of ranks for those that are shared, the quickest first
};

}  // namespace

PlayedMapping place_fronts(const AssemblyTree& tree, const std::vector<double>& front_flops,
                           std::vector<RankInterval> group, const RankMachine& machine, const MessageRule& rule,
                           RankTables& tables) {
    return FrontPlacer(tree, front_flops, std::move(group), machine, rule, tables).place();
}

RankMapping with_pieces(RankMapping mapping) {
    for (std::size_t f = 0; f < mapping.grid.size(); ++f)
        if (!mapping.is_shared(static_cast<index_t>(f))) mapping.grid[f].rank = {mapping.group[f].first};
    return mapping;
}

}  // namespace frond

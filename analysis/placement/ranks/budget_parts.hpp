// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/rank_mapping.hpp"
#include "frond/base/typed_vector.hpp"
#include "rank_tables.hpp"
#include "ranks_parts.hpp"

#include <cstdint>
#include <vector>

namespace frond {

/// Walks over the fronts in postorder as the ranks will, each with its parts, and keeps what they hold, do and exchange
/// and when they are done. Only what concerns fronts up to the one that is added is read of a mapping, so a mapping can
/// grow next to it.
class RankWalk {
public:
    /// Rates and costs of messages of `machine`, which may have no rank: then there is no time.
    RankWalk(const AssemblyTree& tree, const std::vector<double>& front_flops, const RankMapping& mapping,
             const MessageRule& rule, const RankMachine& machine);

    /// The next front.
    void add(index_t front);

    count_t held_bytes(Rank rank) const { return now_[rank] * rule_.scalar_bytes; }
    double seconds() const;  // until the last rank is done
    std::vector<RankPrediction> predictions() const;

private:
    bool ends_piece(index_t front) const;
    void allocate(Rank rank, count_t scalars, index_t front);
    void work_alone(index_t front);
    void share(index_t front);
    void exchange(index_t front);
    void play(index_t front, const std::vector<FrontShare>& shares, double all_work);

    const AssemblyTree& tree_;
    const std::vector<double>& flops_;
    const RankMapping& mapping_;
    const MessageRule& rule_;
    const RankMachine& machine_;
    TypedVector<Rank, count_t> now_;  // scalars in use
    std::vector<std::vector<std::pair<Rank, count_t>>> held_;  // contribution blocks of fronts: scalars
    TypedVector<Rank, std::pair<count_t, index_t>> largest_part_;  // scalars, front
    TypedVector<Rank, RankPrediction> ranks_;  // in scalars until the end
    TypedVector<Rank, double> free_;  // seconds
    std::vector<double> end_;  // of fronts, seconds
    TypedVector<Rank, double> before_, within_;  // messages before a front and in it
    count_t piece_factors_ = 0;
    double piece_flops_ = 0;
};

/// A mapping and what becomes of it.
struct PlayedMapping {
    RankMapping mapping;
    std::vector<RankPrediction> ranks;
    double seconds = 0;  // by the model of time
};

/// Chooses the ranks of each front of the groups, bottom up, since children then have theirs, and walks over them. In a
/// piece only the topmost front has its rank in mapping.grid: most trees that are tried are not taken.
PlayedMapping place_fronts(const AssemblyTree& tree, const std::vector<double>& front_flops,
                           std::vector<RankInterval> group, const RankMachine& machine, const MessageRule& rule,
                           RankTables& tables);

/// The mapping with the rank of every front.
RankMapping with_pieces(RankMapping mapping);

/// How a share of the ranks that is no whole number becomes one.
enum class Rounding : std::uint8_t { nearest, up, down };

/// One of the ways to give the subtrees of a tree to ranks.
struct Deal {
    Rounding rounding = Rounding::nearest;
    std::vector<double> weight;  // [ranks] ranks get subtrees in proportion to these
    std::vector<std::uint8_t> in_turn;  // [fronts + 1] as in RankMapping
};

/// The group of each front. below: the work of its subtree. O(fronts log fronts + ranks of all groups).
std::vector<RankInterval> deal_tree(const AssemblyTree& tree, const std::vector<double>& below, const Deal& deal);

/// What is the same for all mappings that are tried.
struct RankPlayer {
    const AssemblyTree& tree;
    const std::vector<double>& front_flops;
    const std::vector<double>& below;  // flops of subtrees
    const RankMachine& machine;
    const MessageRule& rule;
    RankTables& tables;
};

struct FittedMapping {
    PlayedMapping played;
    count_t above_bytes = 0;  // what the rank with most has above its budget; 0: all fit
};

/// Places the fronts of `groups`, which are those of `deal`. As long as a rank is above its budget, children of the
/// splits that contribute are done in turn by their whole groups, the lowest split first, then those above it, at last
/// those further down, as long as that brings the ranks nearer to their budgets. The mapping that fits, or the one that
/// came nearest.
FittedMapping fit_budgets(const RankPlayer& player, Deal deal, const std::vector<RankInterval>& groups);

/// Without budgets: `quickest`, which was mapped by `deal`, with children of splits in turn where that saves as much
/// memory as bytes travel more. The same for any number of threads.
PlayedMapping spare_memory(const RankPlayer& player, Deal deal, PlayedMapping quickest, index_t threads);

}  // namespace frond

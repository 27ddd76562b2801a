// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/base/typed_vector.hpp"
#include "ranks_parts.hpp"

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

}  // namespace frond

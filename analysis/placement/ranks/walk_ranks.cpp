// SPDX-License-Identifier: BSD-3-Clause
#include "../mapping_parts.hpp"
#include "budget_parts.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/vector_index.hpp"

#include <algorithm>
#include <map>

namespace frond {

RankWalk::RankWalk(const AssemblyTree& tree, const std::vector<double>& front_flops, const RankMapping& mapping,
                   const MessageRule& rule, const RankMachine& machine)
    : tree_(tree),
      flops_(front_flops),
      mapping_(mapping),
      rule_(rule),
      machine_(machine),
      now_(at(mapping.ranks)),
      held_(tree.fronts.size()),
      largest_part_(at(mapping.ranks), {0, -1}),
      ranks_(at(mapping.ranks)),
      free_(at(mapping.ranks)),
      end_(tree.fronts.size(), 0.0),
      before_(at(mapping.ranks)),
      within_(at(mapping.ranks)) {}

void RankWalk::add(index_t front) {
    if (mapping_.is_shared(front))
        share(front);
    else
        work_alone(front);
}

double RankWalk::seconds() const {
    const std::vector<double>& free = free_.all();
    return free.empty() ? 0 : *std::max_element(free.begin(), free.end());
}

std::vector<RankPrediction> RankWalk::predictions() const {
    std::vector<RankPrediction> all = ranks_.all();
    for (RankPrediction& r : all) {
        r.factor_bytes *= rule_.scalar_bytes;
        r.peak_bytes *= rule_.scalar_bytes;
    }
    return all;
}

bool RankWalk::ends_piece(index_t front) const {
    const index_t parent = tree_.fronts[at(front)].parent;
    return parent < 0 || mapping_.is_shared(parent);
}

void RankWalk::allocate(Rank rank, count_t scalars, index_t front) {
    now_[rank] += scalars;
    if (scalars > largest_part_[rank].first) largest_part_[rank] = {scalars, front};
    RankPrediction& r = ranks_[rank];
    if (now_[rank] <= r.peak_bytes) return;
    r.peak_bytes = now_[rank];
    r.peak_front = front;
    r.largest_part_front = largest_part_[rank].second;
}

/// Fronts of a piece come one after the other; its memory and time are counted at its top front.
void RankWalk::work_alone(index_t f) {
    const index_t number = mapping_.group[at(f)].first;
    const Rank rank{number};
    const Front& front = tree_.fronts[at(f)];
    ranks_[rank].flops += flops_[at(f)];
    const count_t factors = front_panels(front, rule_.kind).size;
    ranks_[rank].factor_bytes += factors;
    piece_factors_ += factors;
    piece_flops_ += flops_[at(f)];
    if (!ends_piece(f)) return;
    const count_t stack = stack_peak(tree_, tree_.first_descendant[at(f)], f);
    const count_t block = count_t{front.ncb()} * front.ncb();
    allocate(rank, piece_factors_ + stack, f);
    now_[rank] -= stack - block;
    held_[at(f)] = {{rank, block}};
    if (!machine_.flops_per_second.empty()) free_[rank] += piece_flops_ / machine_.flops_per_second[at(number)];
    end_[at(f)] = free_[rank];
    piece_factors_ = 0;
    piece_flops_ = 0;
}

void RankWalk::share(index_t f) {
    const RankGrid& grid = mapping_.grid[at(f)];
    const std::vector<FrontShare> shares = shares_of(grid, mapping_.tiles[at(f)], rule_.kind);
    double work = 0;
    for (const FrontShare& s : shares) work += s.work;
    const std::vector<index_t> members = grid.members();
    for (const index_t r : members) {
        const Rank rank{r};
        const FrontShare& s = shares[at(r)];
        ranks_[rank].flops +=
            work > 0 ? flops_[at(f)] * s.work / work : flops_[at(f)] / static_cast<double>(members.size());
        ranks_[rank].factor_bytes += s.factors;
        allocate(rank, s.factors + s.contribution, f);
        held_[at(f)].push_back({rank, s.contribution});
    }
    exchange(f);
    play(f, shares, work);
    for (count_t c = tree_.child_begin[at(f)]; c < tree_.child_begin[at(f) + 1]; ++c)
        for (const auto& [rank, scalars] : held_[at(tree_.children[at(c)])]) now_[rank] -= scalars;
}

/// Contribution blocks of others lie next to the front until they are assembled; of fronts on the tiles of an analysis,
/// which are the ones that are factored, tiles of panels until they are used.
void RankWalk::exchange(index_t f) {
    TypedVector<Rank, count_t> waiting(at(mapping_.ranks));
    before_.fill(0);
    within_.fill(0);
    std::map<index_t, ReceivedTiles> of_panels;
    for_each_message(tree_, mapping_, rule_, f, [&](const Message& m) {
        const Rank source{m.source}, destination{m.destination};
        ranks_[source].sent_bytes += m.bytes;
        ++ranks_[source].sent_messages;
        ranks_[destination].received_bytes += m.bytes;
        ++ranks_[destination].received_messages;
        const bool of_child = m.kind == MessageKind::contribution;
        if (of_child)
            waiting[destination] += m.bytes / rule_.scalar_bytes;
        else if (mapping_.whole_tiles)
            of_panels.try_emplace(m.destination, mapping_.tiles[at(f)]).first->second.add(mapping_.tiles[at(f)], m);
        const double seconds = machine_.message_seconds + static_cast<double>(m.bytes) / machine_.bytes_per_second;
        for (const Rank rank : {source, destination}) (of_child ? before_ : within_)[rank] += seconds;
    });
    if (mapping_.whole_tiles)
        for (const index_t r : mapping_.grid[at(f)].members())
            of_panels.try_emplace(r, mapping_.tiles[at(f)])
                .first->second.add_computed(mapping_.grid[at(f)], mapping_.tiles[at(f)], rule_, r);
    for (const auto& [r, received] : of_panels) waiting[Rank{r}] += received.scalars(mapping_.tiles[at(f)]);
    for (index_t r = 0; r < mapping_.ranks; ++r) {
        allocate(Rank{r}, waiting[Rank{r}], f);
        now_[Rank{r}] -= waiting[Rank{r}];
    }
}

/// All ranks of the front begin when they are free and the contribution blocks have come; messages within it travel
/// in addition to its work.
void RankWalk::play(index_t f, const std::vector<FrontShare>& shares, double all_work) {
    if (machine_.flops_per_second.empty()) return;
    double begin = 0, fetched = 0, work = 0, messages = 0, rate = 0;
    for (count_t c = tree_.child_begin[at(f)]; c < tree_.child_begin[at(f) + 1]; ++c)
        begin = std::max(begin, end_[at(tree_.children[at(c)])]);
    const std::vector<index_t> members = mapping_.grid[at(f)].members();
    for (const index_t r : members) {
        begin = std::max(begin, free_[Rank{r}]);
        const double here = machine_.flops_per_second[at(r)];
        rate += here / static_cast<double>(members.size());
        const double part = all_work > 0 ? shares[at(r)].work / all_work : 1.0 / static_cast<double>(members.size());
        work = std::max(work, flops_[at(f)] * part / here);
        messages = std::max(messages, within_[Rank{r}]);
        fetched = std::max(fetched, before_[Rank{r}]);
    }
    work += seconds_of_panels(tree_.fronts[at(f)], static_cast<index_t>(members.size()), rate, machine_,
                              rule_.scalar_bytes);
    end_[at(f)] = begin + fetched + std::max(work, messages);
    for (const index_t r : members) free_[Rank{r}] = end_[at(f)];
}

std::vector<RankPrediction> predict_ranks(const AssemblyTree& tree, const std::vector<double>& front_flops,
                                          const RankMapping& mapping, const MessageRule& rule) {
    FROND_EXPECTS(mapping.group.size() == tree.fronts.size(), "the mapping is of another tree; map this one");
    FROND_EXPECTS(front_flops.size() == tree.fronts.size(), "front_flops has not one entry a front; give one");
    const RankMachine no_time;
    RankWalk walk(tree, front_flops, mapping, rule, no_time);
    for (index_t f = 0; f < tree.front_count(); ++f) walk.add(f);
    return walk.predictions();
}

}  // namespace frond

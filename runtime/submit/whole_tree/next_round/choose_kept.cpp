// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/next_round/choose_kept.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

/// By fronts of the round: where contribution blocks are after it.
template <class T>
std::map<index_t, SourceOfRange> blocks_left(const FailedRound<T>& round) {
    const auto had_task = [&](index_t piece) { return round.kept == nullptr || round.kept->is_kept[at(piece)] == 0; };
    std::map<index_t, SourceOfRange> left;
    std::map<gpu::RoomNumber, std::pair<index_t, index_t>> last;  // piece that filled it, front
    for (const gpu::BlockBetween& block : round.resident->blocks()) {
        const index_t filled = had_task(block.made) ? block.made : had_task(block.used) ? block.used : -1;
        auto& latest = last.try_emplace(block.room, -1, -1).first->second;
        latest = std::max(latest, {filled, block.front});
    }
    for (const auto& [room, filled] : last)
        if (filled.first >= 0) left[filled.second] = {SourceOfRange::Of::room, static_cast<index_t>(room), 0};
    for (const gpu::BlockBetween& block : round.resident->blocks())
        if (round.resident->copy_of_block(block.front) != nullptr)
            left[block.front] = {SourceOfRange::Of::copy, block.front, 0};
    for (std::size_t r = 0; round.kept != nullptr && r < round.kept->ranges.size(); ++r)
        if (const index_t front = round.kept->ranges[r].front; front >= 0)
            left[front] = {SourceOfRange::Of::saved, static_cast<index_t>(r), 0};
    return left;
}

template <class T>
class Chooser {
public:
    Chooser(const FailedRound<T>& round, const TreeWorkspace<T>& next, const MatchedPieces<T>& matched)
        : round_(round), next_(next), matched_(matched), left_(blocks_left(round)), blocks_(next.resident->blocks()) {
        for (const index_t piece : matched.piece_before()) chosen_.is_kept.push_back(piece >= 0 ? 1 : 0);
        for (std::size_t part = 0; part < next.places.size(); ++part)
            chosen_.part_before.push_back(is_in_place(part) ? matched.part_before()[part] : -1);
    }

    ChosenPieces choose() {
        while (drop_one()) {
        }
        for (const gpu::BlockBetween& block : blocks_)
            if (is_needed(block))
                add(*source_of(block), {block.front, block.used, {gpu::part_of(block.room), 0, block.bytes}});
        for (std::size_t f = 0; f < next_.layout->fronts.size(); ++f) add_factors(static_cast<index_t>(f));
        for (std::size_t part = 0; part < chosen_.part_before.size(); ++part)
            if (first_with_task(part)) chosen_.part_before[part] = -1;
        return std::move(chosen_);
    }

private:
    bool is_kept(index_t piece) const { return chosen_.is_kept[at(piece)] != 0; }
    bool is_in_place(std::size_t part) const {
        const index_t before = matched_.part_before()[part];
        return before >= 0 && round_.parts.places()[at(before)] == next_.places[part];
    }
    std::optional<index_t> first_with_task(std::size_t part) const {
        for (const index_t piece : next_.layout->parts[part].pieces)
            if (!is_kept(piece)) return piece;
        return std::nullopt;
    }

    bool is_needed(const gpu::BlockBetween& block) const { return is_kept(block.made) && !is_kept(block.used); }
    std::optional<SourceOfRange> source_of(const gpu::BlockBetween& block) const {
        const auto found = left_.find(matched_.front_before()[at(block.front)]);
        return found == left_.end() ? std::nullopt : std::optional(found->second);
    }

    /// A piece that cannot be kept after all. What it reads is needed then.
    bool drop_one() {
        for (const gpu::BlockBetween& block : blocks_)
            if (is_needed(block) && !source_of(block)) return drop(block.made);
        for (std::size_t part = 0; part < next_.layout->parts.size(); ++part)
            for (const index_t piece : next_.layout->parts[part].pieces)
                if (is_kept(piece) && !may_stay(part)) return drop(piece);
        return false;
    }
    bool drop(index_t piece) {
        chosen_.is_kept[at(piece)] = 0;
        return true;
    }
    /// A part is taken over as a whole, or another piece writes it anew, and is given what is left of it.
    bool may_stay(std::size_t part) const {
        return chosen_.part_before[part] >= 0 || first_with_task(part).has_value();
    }

    /// Adds the factors of a front in a part that some piece writes anew.
    void add_factors(index_t f) {
        const T* const place = next_.layout->fronts[at(f)].part;
        if (place == nullptr || !is_kept(next_.resident->piece_of_fronts()[at(f)])) return;
        const std::size_t part = next_.layout->index_of(place);
        const std::optional<index_t> reader = first_with_task(part);
        if (!reader) return;
        const Analysis& analysis = *next_.failed.analysis();
        const T* const before = round_.layout->fronts[at(matched_.front_before()[at(f)])].part;
        const count_t bytes =
            front_panels(analysis.tree.fronts[at(f)], analysis.factorization).size * static_cast<count_t>(sizeof(T));
        add({SourceOfRange::Of::part, static_cast<index_t>(round_.layout->index_of(before)),
             gpu::distance_in_part(before)},
            {-1, *reader, {next_.layout->number_of(part), gpu::distance_in_part(place), bytes}});
    }

    /// What follows the one before, there and here, is one with it.
    void add(const SourceOfRange& source, const SavedRange& range) {
        if (!chosen_.ranges.empty() && range.front < 0 && chosen_.ranges.back().front < 0) {
            KeptRange& last = chosen_.ranges.back().range;
            const SourceOfRange& from = chosen_.sources.back();
            if (last.to == range.range.to && last.first + last.bytes == range.range.first && from.of == source.of &&
                from.number == source.number && from.first + last.bytes == source.first) {
                last.bytes += range.range.bytes;
                return;
            }
        }
        chosen_.ranges.push_back(range);
        chosen_.sources.push_back(source);
    }

    const FailedRound<T>& round_;
    const TreeWorkspace<T>& next_;
    const MatchedPieces<T>& matched_;
    std::map<index_t, SourceOfRange> left_;
    std::vector<gpu::BlockBetween> blocks_;
    ChosenPieces chosen_;
};

}  // namespace

template <class T>
ChosenPieces choose_kept(const FailedRound<T>& round, const TreeWorkspace<T>& next, const MatchedPieces<T>& matched) {
    return Chooser<T>(round, next, matched).choose();
}

#define FROND_INSTANTIATE(T) \
    template ChosenPieces choose_kept<T>(const FailedRound<T>&, const TreeWorkspace<T>&, const MatchedPieces<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

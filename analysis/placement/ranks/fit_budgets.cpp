// SPDX-License-Identifier: BSD-3-Clause
#include "budget_parts.hpp"

#include <algorithm>
#include <optional>

#include "../../base/on_threads.hpp"
#include "frond/base/vector_index.hpp"

namespace frond {
namespace {

/// So many steps in a row that bring no mapping nearer to the budgets are the last ones.
constexpr index_t most_vain_steps = 4;

/// Without budgets, a split is done in turn where each byte more that travels saves one of the ranks' peaks, up to so many
/// times the bytes and the time that there were: asked of several ranks are few bytes as well.
constexpr double most_bytes_for_memory = 1.35, most_time_for_memory = 1.05;
/// So many splits in a row that save nothing are the last ones that are tried.
constexpr index_t most_vain_splits = 8;

count_t sum_of(const PlayedMapping& played, count_t RankPrediction::*field) {
    count_t sum = 0;
    for (const RankPrediction& r : played.ranks) sum += r.*field;
    return sum;
}

class BudgetFitter {
public:
    BudgetFitter(const RankPlayer& player, Deal deal) : player_(player), deal_(std::move(deal)) {
        for (const Front& f : player.tree.fronts) roots_ += f.parent < 0;
    }

    FittedMapping fit(const std::vector<RankInterval>& groups) {
        FittedMapping now = played(groups), best;
        const std::vector<count_t>& budget = player_.machine.budget_bytes;
        best.above_bytes = -1;
        for (index_t vain_steps = 0;; ++vain_steps) {
            std::vector<std::size_t> splits;
            for (std::size_t r = 0; r < budget.size(); ++r)
                if (now.played.ranks[r].peak_bytes > budget[r])
                    add_split(now.played.mapping, now.played.ranks[r], splits);
            const bool is_better = best.above_bytes < 0 || now.above_bytes < best.above_bytes;
            if (is_better) best = std::move(now), vain_steps = 0;
            if (best.above_bytes == 0 || splits.empty() || vain_steps == most_vain_steps) return best;
            for (const std::size_t s : splits) deal_.in_turn[s] = 1;
            now = played(deal_tree(player_.tree, player_.below, deal_));
        }
    }

    /// Splits are tried from what the rank with the largest peak holds most of, and up from there. Threads play those that
    /// come next if none pays; what comes after one that does is tried anew.
    PlayedMapping spare(PlayedMapping quickest, index_t threads) {
        PlayedMapping now = std::move(quickest);
        const double most_seconds = most_time_for_memory * now.seconds;
        const double most_bytes = most_bytes_for_memory * static_cast<double>(sum_of(now, &RankPrediction::sent_bytes));
        std::vector<std::uint8_t> known = deal_.in_turn;
        for (index_t vain_splits = 0; vain_splits < most_vain_splits;) {
            const std::vector<std::size_t> splits =
                splits_to_try(now, known, std::min(threads, most_vain_splits - vain_splits));
            if (splits.empty()) break;
            std::vector<PlayedMapping> others(splits.size());
            for_each_chunk(threads, static_cast<count_t>(splits.size()),
                           [&](count_t k) { others[at(k)] = played_in_turn(splits[at(k)]); });
            for (std::size_t k = 0; k < splits.size(); ++k) {
                known[splits[k]] = 1;
                const PlayedMapping& other = others[k];
                const count_t sent = sum_of(other, &RankPrediction::sent_bytes);
                const count_t more = std::max<count_t>(0, sent - sum_of(now, &RankPrediction::sent_bytes));
                const count_t saved =
                    sum_of(now, &RankPrediction::peak_bytes) - sum_of(other, &RankPrediction::peak_bytes);
                const bool pays = saved > 0 && saved >= more && other.seconds <= most_seconds &&
                                  static_cast<double>(sent) <= most_bytes;
                ++vain_splits;
                if (!pays) continue;
                deal_.in_turn[splits[k]] = 1;
                now = std::move(others[k]);
                vain_splits = 0;
                break;
            }
        }
        return now;
    }

private:
    /// The next ones, as long as none of them pays.
    std::vector<std::size_t> splits_to_try(const PlayedMapping& now, std::vector<std::uint8_t> known,
                                           index_t most) const {
        std::vector<std::size_t> splits;
        while (static_cast<index_t>(splits.size()) < most) {
            const std::optional<std::size_t> split = split_to_try(now, known);
            if (!split) break;
            known[*split] = 1;
            splits.push_back(*split);
        }
        return splits;
    }

    std::optional<std::size_t> split_to_try(const PlayedMapping& now, const std::vector<std::uint8_t>& known) const {
        std::optional<std::size_t> split;
        count_t largest = -1;
        for (const RankPrediction& r : now.ranks) {
            if (r.peak_bytes <= largest) continue;
            for (const std::size_t s : splits_above(now.mapping, r.largest_part_front)) {
                if (known[s] != 0) continue;
                split = s;
                largest = r.peak_bytes;
                break;
            }
        }
        return split;
    }

    /// Plays deal_ with one more split in turn.
    PlayedMapping played_in_turn(std::size_t split) const {
        Deal deal = deal_;
        deal.in_turn[split] = 1;
        PlayedMapping other = place(deal_tree(player_.tree, player_.below, deal));
        other.mapping.in_turn = std::move(deal.in_turn);
        return other;
    }

    PlayedMapping place(std::vector<RankInterval> groups) const {
        return place_fronts(player_.tree, player_.front_flops, std::move(groups), player_.machine, player_.rule,
                            player_.tables);
    }

    FittedMapping played(std::vector<RankInterval> groups) const {
        FittedMapping fitted{place(std::move(groups)), 0};
        fitted.played.mapping.in_turn = deal_.in_turn;
        for (std::size_t r = 0; r < player_.machine.budget_bytes.size(); ++r)
            fitted.above_bytes =
                std::max(fitted.above_bytes, fitted.played.ranks[r].peak_bytes - player_.machine.budget_bytes[r]);
        return fitted;
    }

    /// The splits of several ranks from a front up; the last one is the forest.
    std::vector<std::size_t> splits_above(const RankMapping& mapping, index_t front) const {
        const AssemblyTree& tree = player_.tree;
        std::vector<std::size_t> path;
        for (index_t f = front; f >= 0; f = tree.fronts[at(f)].parent)
            if (mapping.is_shared(f) && tree.child_begin[at(f) + 1] - tree.child_begin[at(f)] > 1)
                path.push_back(at(f));
        if (roots_ > 1) path.push_back(tree.fronts.size());
        return path;
    }

    /// Above what the rank holds most of; with all of that in turn, above the front of its peak.
    void add_split(const RankMapping& mapping, const RankPrediction& rank, std::vector<std::size_t>& splits) const {
        if (!add_split(mapping, rank.largest_part_front, splits)) add_split(mapping, rank.peak_front, splits);
    }

    /// The lowest split that is not in turn above those that are; with all of them in turn up to the roots, the highest
    /// below them; nothing where no split is left.
    bool add_split(const RankMapping& mapping, index_t front, std::vector<std::size_t>& splits) const {
        const std::vector<std::size_t> path = splits_above(mapping, front);
        std::size_t above = 0;  // the highest in turn, counted from 1
        for (std::size_t k = 0; k < path.size(); ++k)
            if (deal_.in_turn[path[k]]) above = k + 1;
        if (above < path.size()) {
            splits.push_back(path[above]);
            return true;
        }
        while (above > 0 && deal_.in_turn[path[above - 1]]) --above;
        if (above > 0) splits.push_back(path[above - 1]);
        return above > 0;
    }

    const RankPlayer& player_;
    Deal deal_;
    index_t roots_ = 0;
};

}  // namespace

FittedMapping fit_budgets(const RankPlayer& player, Deal deal, const std::vector<RankInterval>& groups) {
    return BudgetFitter(player, std::move(deal)).fit(groups);
}

PlayedMapping spare_memory(const RankPlayer& player, Deal deal, PlayedMapping quickest, index_t threads) {
    return BudgetFitter(player, std::move(deal)).spare(std::move(quickest), threads);
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "../../base/on_threads.hpp"
#include "budget_parts.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/vector_index.hpp"

namespace frond {
namespace {

/// Children in turn move more bytes, and the model of time is an estimate: they must be quicker by this.
constexpr double worthwhile = 0.9;
/// So many levels of splits from the roots down are also tried in turn.
constexpr index_t most_levels_in_turn = 2;
/// A front splits its subtree where its second largest child has this part of a rank's share of its children.
constexpr double worth_a_level = 0.125;

/// A front takes as long as so many entries of a matrix, about.
constexpr count_t entries_worth_a_front = 8;

class Candidates {
public:
    Candidates(const AssemblyTree& tree, const std::vector<double>& front_flops, const RankMachine& machine,
               const MessageRule& rule, index_t threads)
        : tree_(tree),
          machine_(machine),
          below_(front_flops),
          tables_(rule.kind != Factorization::lu),
          player_{tree, front_flops, below_, machine, rule, tables_},
          threads_(threads > 0 ? threads : threads_for(0, entries_worth_a_front * tree.front_count())) {
        for (index_t f = 0; f < tree.front_count(); ++f)
            if (tree.fronts[at(f)].parent >= 0) below_[at(tree.fronts[at(f)].parent)] += below_[at(f)];
    }

    RankMapping quickest() {
        deal_all();
        for_each_chunk(threads_, static_cast<count_t>(candidates_.size()), [&](count_t k) { play(at(k)); });
        expect_room(*best_);
        if (!machine_.budget_bytes.empty()) return with_pieces(std::move(best_->played.mapping));
        return with_pieces(
            spare_memory(player_, candidates_[best_candidate_].deal, std::move(best_->played), threads_).mapping);
    }

private:
    /// What is played.
    struct Candidate {
        Deal deal;  // without what budgets change
        index_t levels_in_turn = 0;
        std::vector<RankInterval> groups;
    };

    /// All candidates that map the tree in another way than those before.
    void deal_all() {
        std::vector<Candidate> all;
        for (index_t levels = 0; levels <= most_levels_in_turn; ++levels) {
            const std::vector<std::uint8_t> marks = in_turn(levels);
            for (const Rounding rounding : {Rounding::nearest, Rounding::up, Rounding::down}) {
                all.push_back({{rounding, machine_.flops_per_second, marks}, levels, {}});
                if (machine_.budget_bytes.empty()) continue;
                const std::vector<count_t>& budgets = machine_.budget_bytes;
                all.push_back({{rounding, {budgets.begin(), budgets.end()}, marks}, levels, {}});
            }
        }
        for_each_chunk(threads_, static_cast<count_t>(all.size()),
                       [&](count_t k) { all[at(k)].groups = deal_tree(tree_, below_, all[at(k)].deal); });
        for (Candidate& c : all)
            if (std::none_of(candidates_.begin(), candidates_.end(),
                             [&](const Candidate& other) { return other.groups == c.groups; }))
                candidates_.push_back(std::move(c));
    }

    /// Keeps the quickest of those that fit; else the one that comes nearest to the budgets; of equal ones the first.
    void play(std::size_t candidate) {
        const Candidate& c = candidates_[candidate];
        FittedMapping fitted = fit_budgets(player_, c.deal, c.groups);
        const double seconds = fitted.played.seconds / (c.levels_in_turn > 0 ? worthwhile : 1);
        const std::lock_guard lock(mutex_);
        if (best_ && std::tuple(best_->above_bytes, best_seconds_, best_candidate_) <=
                         std::tuple(fitted.above_bytes, seconds, candidate))
            return;
        best_ = std::move(fitted);
        best_candidate_ = candidate;
        best_seconds_ = seconds;
    }

    /// The children of the fronts that split the tree, so many levels from the roots.
    std::vector<std::uint8_t> in_turn(index_t levels) const {
        std::vector<std::uint8_t> marks(tree_.fronts.size() + 1, 0);
        const std::vector<std::uint8_t> splits = fronts_that_split();
        std::vector<index_t> depth(tree_.fronts.size() + 1, 0);
        for (std::size_t f = tree_.fronts.size() + 1; f-- > 0;) {
            if (f < tree_.fronts.size()) {
                const index_t parent = tree_.fronts[f].parent;
                const std::size_t above = parent < 0 ? tree_.fronts.size() : at(parent);
                depth[f] = depth[above] + splits[above];
            }
            marks[f] = depth[f] < levels;
        }
        return marks;
    }

    std::vector<std::uint8_t> fronts_that_split() const {
        const std::size_t forest = tree_.fronts.size();
        std::vector<double> sum(forest + 1, 0.0), largest(forest + 1, 0.0), second(forest + 1, 0.0);
        for (std::size_t f = 0; f < forest; ++f) {
            const std::size_t parent = tree_.fronts[f].parent < 0 ? forest : at(tree_.fronts[f].parent);
            sum[parent] += below_[f];
            second[parent] = std::max(second[parent], std::min(largest[parent], below_[f]));
            largest[parent] = std::max(largest[parent], below_[f]);
        }
        std::vector<std::uint8_t> splits(forest + 1);
        for (std::size_t f = 0; f <= forest; ++f)
            splits[f] = second[f] > 0 &&
                        second[f] * static_cast<double>(machine_.flops_per_second.size()) >= worth_a_level * sum[f];
        return splits;
    }

    void expect_room(const FittedMapping& mapping) const {
        if (mapping.above_bytes == 0) return;
        const std::vector<RankPrediction>& ranks = mapping.played.ranks;
        index_t worst = 0;
        const auto above = [&](index_t r) { return ranks[at(r)].peak_bytes - machine_.budget_bytes[at(r)]; };
        for (index_t r = 1; r < static_cast<index_t>(ranks.size()); ++r)
            if (above(r) > above(worst)) worst = r;
        refuse_peak(worst, static_cast<index_t>(ranks.size()), ranks[at(worst)].peak_bytes,
                    machine_.budget_bytes[at(worst)]);
    }

    const AssemblyTree& tree_;
    const RankMachine& machine_;
    std::vector<double> below_;  // flops of a subtree
    RankTables tables_;
    RankPlayer player_;
    index_t threads_;
    std::vector<Candidate> candidates_;
    std::mutex mutex_;  // for what follows
    std::optional<FittedMapping> best_;
    std::size_t best_candidate_ = 0;
    double best_seconds_ = 0;
};

void check(const AssemblyTree& tree, const std::vector<double>& front_flops, const RankMachine& machine) {
    FROND_EXPECTS(!machine.flops_per_second.empty(), "there is no rank; give the rate of one or more");
    FROND_EXPECTS(front_flops.size() == tree.fronts.size(), "front_flops has not one entry a front; give one");
    for (const double r : machine.flops_per_second)
        FROND_EXPECTS(r > 0, "the rate of a rank is " + std::to_string(r) + "; rates must be positive");
    FROND_EXPECTS(machine.budget_bytes.empty() || machine.budget_bytes.size() == machine.flops_per_second.size(),
                  "there are " + std::to_string(machine.budget_bytes.size()) + " budgets for " +
                      std::to_string(machine.flops_per_second.size()) + " ranks; give one for each or none");
    for (const count_t b : machine.budget_bytes)
        FROND_EXPECTS(b > 0, "the budget of a rank is " + std::to_string(b) + " bytes; budgets must be positive");
}

}  // namespace

void refuse_peak(index_t rank, index_t ranks, count_t needed_bytes, count_t budget_bytes) {
    throw MemoryBudgetExceeded("rank " + std::to_string(rank) + " of " + std::to_string(ranks) + " would need " +
                                   std::to_string(needed_bytes) + " bytes and may hold " +
                                   std::to_string(budget_bytes) +
                                   "; raise its budget or take more ranks. No mapping that was tried needs less",
                               needed_bytes, budget_bytes);
}

RankMapping map_ranks(const AssemblyTree& tree, const std::vector<double>& front_flops, const RankMachine& machine,
                      const MessageRule& rule, index_t threads) {
    check(tree, front_flops, machine);
    return Candidates(tree, front_flops, machine, rule, threads).quickest();
}

}  // namespace frond

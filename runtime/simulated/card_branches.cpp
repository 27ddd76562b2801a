// SPDX-License-Identifier: BSD-3-Clause
#include "simulated/card_branches.hpp"

#include <algorithm>
#include <numeric>

#include "frond/analysis/pieces.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "frond/codelets/rates.hpp"
#include "frond/gpu/branch_work.hpp"
#include "engine/insert_task.hpp"
#include "submit/fronts/task_work.hpp"
#include "tasks/piece/factor_piece.hpp"

namespace frond::detail {
namespace {

/// Subtrees with their estimated seconds on a card.
class DealtBranches {
public:
    DealtBranches(const Analysis& analysis, const RankMapping& mapping, index_t rank)
        : analysis_(analysis), seconds_(analysis.tree.fronts.size()) {
        const AssemblyTree& tree = analysis.tree;
        std::vector<char> is_in_branch(tree.fronts.size(), 0);
        const std::vector<index_t> fronts = fronts_of_branches(tree, mapping, rank);
        for (const index_t f : fronts) {
            is_in_branch[at(f)] = 1;
            seconds_[at(f)] += seconds_of_front(f);
            if (const index_t parent = tree.fronts[at(f)].parent; parent >= 0) seconds_[at(parent)] += seconds_[at(f)];
        }
        for (const index_t f : fronts) {
            const index_t parent = tree.fronts[at(f)].parent;
            if (parent < 0 || is_in_branch[at(parent)] == 0) roots_.push_back(f);
        }
    }

    /// Opens branches until none has more than a card's share, or one that has is a single task of a core, which has no
    /// parts.
    void open_for(index_t cards) {
        for (double all = seconds_of_all(); cards > 1 && !roots_.empty();) {
            const auto costliest = std::max_element(roots_.begin(), roots_.end(), [&](index_t a, index_t b) {
                return seconds_[at(a)] < seconds_[at(b)];
            });
            const index_t root = *costliest;
            if (seconds_[at(root)] * cards <= all || analysis_.mapping.subtree_of_front[at(root)] >= 0) return;
            roots_.erase(costliest);
            const AssemblyTree& tree = analysis_.tree;
            roots_.insert(roots_.end(), tree.children.begin() + tree.child_begin[at(root)],
                          tree.children.begin() + tree.child_begin[at(root) + 1]);
            all -= seconds_of_front(root);
        }
    }

    std::vector<std::vector<index_t>> deal_to(index_t cards) {
        std::sort(roots_.begin(), roots_.end(), [&](index_t a, index_t b) {
            return seconds_[at(a)] != seconds_[at(b)] ? seconds_[at(a)] > seconds_[at(b)] : a < b;
        });
        std::vector<std::vector<index_t>> dealt(at(cards));
        std::vector<double> busy(at(cards), 0.0);
        for (const index_t root : roots_) {
            const auto least = std::min_element(busy.begin(), busy.end());
            *least += seconds_[at(root)];
            dealt[static_cast<std::size_t>(least - busy.begin())].push_back(root);
        }
        return dealt;
    }

private:
    double seconds_of_front(index_t f) const {
        const double order = analysis_.tree.fronts[at(f)].nfront;
        return analysis_.cost.front_flops[at(f)] / rates().device_piece_flops +
               order * order * static_cast<double>(sizeof(double)) / rates().device_piece_bytes;
    }
    double seconds_of_all() const {
        return std::accumulate(roots_.begin(), roots_.end(), 0.0,
                               [&](double sum, index_t root) { return sum + seconds_[at(root)]; });
    }

    const Analysis& analysis_;
    std::vector<double> seconds_;  // [fronts] of the subtree
    std::vector<index_t> roots_;
};

}  // namespace

std::vector<std::vector<index_t>> choose_branches(const Analysis& analysis, const RankMapping& mapping, index_t rank,
                                                  index_t cards) {
    DealtBranches branches(analysis, mapping, rank);
    branches.open_for(cards);
    return branches.deal_to(cards);
}

template <class T>
BranchTask plan_branch_task(const Analysis& analysis, index_t card, const std::vector<index_t>& roots,
                            const PivotRule& rule) {
    const gpu::BranchWork work = gpu::work_of_branches(analysis, roots, sizeof(T));
    FactorPieceArguments a;
    a.flops = work.flops * flops_per_real<T>;
    a.variant = variant_of(analysis.factorization, rule);
    a.work = work_of_piece(work.square_bytes, work.launches, work.levels);
    starpu_codelet& codelet = factor_piece_codelet<T>(0, 0);
    describe_work(a, codelet, {});
    BranchTask task;
    task.card = card;
    task.seconds = simulated_card_seconds(codelet, a, 0);
    task.most_bytes = work.factor_bytes + work.most_square_bytes;
    task.lasting_bytes = work.factor_bytes;
    const AssemblyTree& tree = analysis.tree;
    for (const index_t root : roots) {
        const count_t ncb = tree.fronts[at(root)].ncb();
        const index_t first = tree.first_descendant[at(root)];
        task.roots.push_back({first, root, ncb * ncb * static_cast<count_t>(sizeof(T))});
        const std::vector<count_t>& begin = analysis.entry_map.front_begin;
        task.value_bytes += (begin[at(root) + 1] - begin[at(first)]) * static_cast<count_t>(sizeof(T));
    }
    return task;
}

#define FROND_INSTANTIATE(T) \
    template BranchTask plan_branch_task<T>(const Analysis&, index_t, const std::vector<index_t>&, const PivotRule&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

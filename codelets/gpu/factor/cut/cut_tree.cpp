// SPDX-License-Identifier: BSD-3-Clause
#include "factor/cut/cut_tree.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "factor/cut/possible_cuts.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/gpu/tree_run.hpp"

namespace frond::gpu {
namespace {

bool is_same_cut(const std::vector<SubtreePlan::Range>& a, const std::vector<SubtreePlan::Range>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const SubtreePlan::Range& x, const SubtreePlan::Range& y) {
                          return x.last_front == y.last_front && x.strip_columns == y.strip_columns;
                      });
}

struct TriedCut {
    std::vector<SubtreePlan::Range> ranges;
    bool for_memory = false;
    std::optional<CutSeconds> seconds{};  // none: it does not fit
};

template <class Body>
void for_each(const ParallelFor& parallel_for, count_t count, const Body& body) {
    if (parallel_for) return parallel_for(count, body);
    for (count_t k = 0; k < count; ++k) body(k);
}

/// The whole tree, and the cuts that differ of all limits.
std::vector<TriedCut> cuts_to_try(const PossibleCuts& cuts, const PieceCut& whole, const ParallelFor& parallel_for) {
    const std::vector<count_t> limits = cuts.limits();
    std::vector<std::vector<SubtreePlan::Range>> of_limit(limits.size());
    for_each(parallel_for, static_cast<count_t>(limits.size()),
             [&](count_t k) { of_limit[at(k)] = cuts.limited(limits[at(k)]); });
    std::vector<TriedCut> tried{{whole.plan.ranges(), false}};
    for (std::vector<SubtreePlan::Range>& ranges : of_limit)
        if (!is_same_cut(ranges, tried.back().ranges)) tried.push_back({std::move(ranges), true});
    return tried;
}

/// With the least seconds of a factorization; of those that take hardly longer, with all operations, the one with the least
/// seconds of a solve. Null: none fits.
const TriedCut* quickest(const std::vector<TriedCut>& tried, const CutCosts& costs) {
    constexpr double hardly = 0.03;
    double least = std::numeric_limits<double>::infinity();
    for (const TriedCut& one : tried)
        if (one.seconds) least = std::min(least, one.seconds->factorization);
    const double most = least + hardly * (costs.operations_seconds + least);
    const TriedCut* best = nullptr;
    for (const TriedCut& one : tried) {
        if (!one.seconds || one.seconds->factorization > most) continue;
        const auto order = [](const TriedCut& cut) {
            return std::pair{cut.seconds->solve, cut.seconds->factorization};
        };
        if (best == nullptr || order(one) < order(*best)) best = &one;
    }
    return best;
}

bool has_room_for_all(const Analysis& analysis, const PieceCut& cut, count_t most_scalars) {
    const std::vector<count_t> without_room = factors_without_room(analysis, cut, most_scalars);
    return cut.saved.host_traffic() == 0 &&
           std::all_of(without_room.begin(), without_room.end(), [](count_t scalars) { return scalars == 0; });
}

}  // namespace

PieceCut cut_tree(const Analysis& analysis, const TreeShares& shares, count_t most_scalars, const CutCosts& costs,
                  const ParallelFor& parallel_for) {
    const PossibleCuts cuts(analysis, shares, most_scalars);
    PieceCut whole = cuts.whole();
    if (cuts.fits(whole) && has_room_for_all(analysis, whole, most_scalars)) return whole;
    if (!whole.plan.shared().empty()) whole = cuts.whole_but_by_one();
    if (cuts.fits(whole) && has_room_for_all(analysis, whole, most_scalars)) return whole;
    std::vector<TriedCut> tried = cuts_to_try(cuts, whole, parallel_for);
    for_each(parallel_for, static_cast<count_t>(tried.size()), [&](count_t k) {
        TriedCut& one = tried[at(k)];
        const PieceCut cut = cuts.saved(one.ranges, one.for_memory);
        if (cuts.fits(cut)) one.seconds = seconds_of_cut(analysis, cut, most_scalars, costs);
    });
    const TriedCut* const best = quickest(tried, costs);
    return best == nullptr || !best->for_memory ? std::move(whole) : cuts.saved(best->ranges, true);
}

PieceCut cut_as_before(const AssemblyTree& tree, const CutBefore& before, count_t most_scalars) {
    std::vector<SubtreePlan::Range> ranges;
    for (const TreePiece& piece : before.pieces) {
        ranges.push_back({piece.first_front, piece.last_front, piece.device});
        ranges.back().strip_columns = piece.strip_columns;
    }
    return saved_cut(tree, std::move(ranges), most_scalars, before.in_parts);
}

PieceCut cut_beside_cores(const AssemblyTree& tree, const Mapping& mapping, const CorePieces& pieces) {
    std::vector<SubtreePlan::Range> of_cores;
    for (const index_t s : pieces.subtrees)
        of_cores.push_back(
            {mapping.subtrees[at(s)].first_front, mapping.subtrees[at(s)].root_front, SubtreePlan::on_cores});
    SubtreePlan plan(tree, std::move(of_cores), pieces.depth);
    SavedBlocks saved(tree, plan, {std::numeric_limits<count_t>::max()});
    return {std::move(plan), std::move(saved), false};
}

}  // namespace frond::gpu

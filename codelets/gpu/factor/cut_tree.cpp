// SPDX-License-Identifier: BSD-3-Clause
#include "factor/cut_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "frond/analysis/pieces.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/gpu/tree_run.hpp"
#include "kernels/level_batch/contribution_strip.hpp"

namespace frond::gpu {
namespace {

/// Products of strips with so many columns are as quick as of wider ones; fewer where there is no room.
constexpr index_t usual_strip = 256, least_strip = 8;
/// Of fronts that all devices do: with fewer columns a block takes more time for its tasks, with more of them devices wait
/// longer for its elimination.
constexpr index_t least_block_columns = 768;

count_t square_scalars(const Front& front) {
    return round_up_8(static_cast<count_t>(front.nfront) * square_ld(front.nfront));
}

/// Scalars of the levels of a subtree, the deepest first, and the most that every other level takes.
struct LevelScalars {
    std::vector<count_t> of_level;
    std::array<count_t, 2> most{0, 0};

    void add(std::size_t level, count_t scalars) {
        of_level[level] += scalars;
        most[level % 2] = std::max(most[level % 2], of_level[level]);
    }
};

/// Most rows among which pivots of the front are put in order.
index_t ordered_rows(const Analysis& analysis, index_t f) {
    index_t rows = 0;
    for (index_t first = 0, last = 0; first < analysis.tree.fronts[at(f)].npiv; first = last) {
        last = SubtreePlan::end_of_ordered_rows(analysis, f, first);
        rows = std::max(rows, last - first);
    }
    return rows;
}

/// Blocks are saved where the squares leave room.
TreeCut saved_cut(const AssemblyTree& tree, std::vector<SubtreePlan::Range> ranges, count_t most_scalars,
                  bool for_memory) {
    SubtreePlan plan(tree, std::move(ranges));
    std::vector<count_t> left;
    for (index_t d = 0; d < plan.devices(); ++d)
        left.push_back(std::max<count_t>(most_scalars - plan.square_scalars(d), 0));
    SavedBlocks blocks(tree, plan, left);
    return {std::move(plan), std::move(blocks), for_memory};
}

/// Cuts of one tree for one room, by limits of the squares of a piece.
class Cuts {
public:
    Cuts(const Analysis& analysis, const TreeShares& shares, count_t most_scalars)
        : analysis_(analysis),
          tree_(analysis.tree),
          shares_(shares),
          shares_for_memory_(on_the_first(shares)),
          most_(most_scalars),
          of_subtree_(scalars_of_subtrees(analysis.tree)) {}

    TreeCut whole() const { return saved(ranges_of(cut_into_pieces(tree_, shares_, {})), false); }
    TreeCut whole_but_by_one() const { return saved(ranges_of(cut_into_pieces(tree_, shares_for_memory_, {})), false); }

    std::vector<SubtreePlan::Range> limited(count_t limit) const {
        const auto cut = [&] {
            return cut_into_pieces(tree_, shares_for_memory_, {limit, [this](index_t first, index_t last) {
                                                                   return first == last
                                                                              ? square_scalars(tree_.fronts[at(last)])
                                                                              : of_subtree_[at(last)];
                                                               }});
        };
        std::vector<Piece> pieces = cut();
        // What single fronts take anyway, subtrees may take, too.
        if (const count_t least = least_of(pieces, limit); least > limit) {
            limit = least;
            pieces = cut();
        }
        std::vector<SubtreePlan::Range> ranges = ranges_of(pieces);
        for (SubtreePlan::Range& range : ranges)
            if (is_by_strips(range.first_front, range.last_front, limit))
                range.strip_columns = strip_columns(range.first_front, limit);
        return ranges;
    }

    TreeCut saved(std::vector<SubtreePlan::Range> ranges, bool for_memory) const {
        return saved_cut(tree_, std::move(ranges), most_, for_memory);
    }

    bool fits(const TreeCut& cut) const {
        for (index_t d = 0; d < cut.plan.devices(); ++d)
            if (cut.plan.square_scalars(d) + cut.plan.shared_scalars() > most_) return false;
        return true;
    }

    /// Of the squares of a piece, as far as the room has them: shares of what the whole tree takes, which do not depend on the
    /// room, so that a cut that is tried with little room is tried with more room, too. A limit below what a root needs makes
    /// no other cut.
    std::vector<count_t> limits() const {
        constexpr double shares_of_half = 8, halves = 16;
        count_t whole = 0, root = 0;
        for (const SharedPart& part : shares_.parts) {
            whole += part.whole ? of_subtree_[at(part.root)] : 0;
            const Front& front = tree_.fronts[at(part.root)];
            root = std::max(root,
                            front.ncb() > least_strip ? scalars_by_strips(front, least_strip) : square_scalars(front));
        }
        std::vector<count_t> limits;
        for (double k = 1; k <= shares_of_half * halves; ++k) {
            const auto limit = static_cast<count_t>(static_cast<double>(whole) * std::exp2(-k / shares_of_half));
            if (limit <= most_) limits.push_back(limit);
            if (limit <= root) break;
        }
        return limits;
    }

private:
    /// Fronts that all devices do need memory on each of them for the whole front: where there is little, none is done so.
    static TreeShares on_the_first(TreeShares shares) {
        for (SharedPart& part : shares.parts)
            if (part.device == SharedPart::by_all) part.device = 0;
        return shares;
    }

    std::vector<SubtreePlan::Range> ranges_of(const std::vector<Piece>& pieces) const {
        std::vector<SubtreePlan::Range> ranges;
        for (const Piece& piece : pieces) {
            ranges.push_back({piece.first_front, piece.last_front, piece.device});
            if (piece.device != SubtreePlan::by_all) continue;
            ranges.back().block_cut = column_blocks(analysis_, piece.last_front);
            ranges.back().tail = first_of_tail(analysis_, piece.last_front, ranges.back().block_cut);
        }
        return ranges;
    }

    bool is_by_strips(index_t first_front, index_t last_front, count_t limit) const {
        const Front& front = tree_.fronts[at(last_front)];
        const bool may_be =
            analysis_.factorization != Factorization::lu || ordered_rows(analysis_, last_front) <= most_ordered_rows;
        return first_front == last_front && front.ncb() > least_strip && square_scalars(front) > limit && may_be;
    }

    /// That fit into the limit.
    index_t strip_columns(index_t f, count_t limit) const {
        const Front& front = tree_.fronts[at(f)];
        const count_t ld = square_ld(front.nfront), left = limit - scalars_by_strips(front, 0);
        const count_t columns = std::max<count_t>(left, 0) / (2 * round_up_8(ld * least_strip)) * least_strip;
        return static_cast<index_t>(std::clamp<count_t>(columns, least_strip, front.ncb()));
    }

    /// Of single fronts, as far as they pass the limit.
    count_t least_of(const std::vector<Piece>& pieces, count_t limit) const {
        count_t least = 0;
        for (const Piece& piece : pieces) {
            if (piece.first_front != piece.last_front) continue;
            const Front& front = tree_.fronts[at(piece.last_front)];
            count_t scalars = square_scalars(front);
            if (is_by_strips(piece.first_front, piece.last_front, limit))
                scalars =
                    std::min(scalars,
                             scalars_by_strips(front, std::min(usual_strip, strip_columns(piece.last_front, most_))));
            least = std::max(least, scalars);
        }
        return least;
    }

    const Analysis& analysis_;
    const AssemblyTree& tree_;
    const TreeShares& shares_;
    TreeShares shares_for_memory_;
    count_t most_;
    std::vector<count_t> of_subtree_;
};

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
std::vector<TriedCut> cuts_to_try(const Cuts& cuts, const TreeCut& whole, const ParallelFor& parallel_for) {
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

bool has_room_for_all(const Analysis& analysis, const TreeCut& cut, count_t most_scalars) {
    const std::vector<count_t> without_room = factors_without_room(analysis, cut, most_scalars);
    return cut.saved.host_traffic() == 0 &&
           std::all_of(without_room.begin(), without_room.end(), [](count_t scalars) { return scalars == 0; });
}

}  // namespace

std::vector<index_t> column_blocks(const Analysis& analysis, index_t front) {
    const TileGrid& grid = analysis.mapping.grids[at(analysis.mapping.grid_of_front[at(front)])];
    const index_t least = sharing_is_forced() ? 1 : least_block_columns;
    std::vector<index_t> cut{0};
    for (index_t t = 1; t <= grid.tiles(); ++t)
        if (grid.cut[at(t)] - cut.back() >= least || t == grid.own_tiles || t == grid.tiles())
            cut.push_back(grid.cut[at(t)]);
    return cut;
}

index_t first_of_tail(const Analysis& analysis, index_t front, const std::vector<index_t>& cut) {
    const Front& f = analysis.tree.fronts[at(front)];
    const index_t most = sharing_is_forced() ? f.npiv / 2 : most_tail_columns;
    const auto first = std::lower_bound(cut.begin(), cut.end(), f.npiv - most);
    return f.ncb() > 0 ? f.npiv : *first;
}

std::vector<count_t> scalars_of_subtrees(const AssemblyTree& tree) {
    std::vector<LevelScalars> of(tree.fronts.size());
    std::vector<count_t> scalars(tree.fronts.size());
    for (index_t f = 0; f < tree.front_count(); ++f) {
        LevelScalars& own = of[at(f)];
        for (count_t c = tree.child_begin[at(f)]; c < tree.child_begin[at(f) + 1]; ++c) {
            LevelScalars child = std::move(of[at(tree.children[at(c)])]);
            if (child.of_level.size() > own.of_level.size()) std::swap(own, child);
            const std::size_t deeper = own.of_level.size() - child.of_level.size();
            for (std::size_t l = 0; l < child.of_level.size(); ++l) own.add(deeper + l, child.of_level[l]);
        }
        own.of_level.push_back(0);
        own.add(own.of_level.size() - 1, square_scalars(tree.fronts[at(f)]));
        scalars[at(f)] = own.most[0] + own.most[1];
    }
    return scalars;
}

/// Half of the room, so that strips are not narrow; up to where tiles end.
index_t columns_at_once(index_t npiv, index_t nfront, count_t most_scalars) {
    constexpr index_t narrow_strip = 64, tile = 512;
    Front front;
    front.npiv = npiv;
    front.nfront = nfront;
    const bool by_strips =
        front.ncb() > 0 && scalars_by_strips(front, std::min(narrow_strip, front.ncb())) <= most_scalars;
    if (square_scalars(front) <= most_scalars || by_strips) return npiv;
    const auto columns = static_cast<index_t>(std::min<count_t>(most_scalars / 2 / square_ld(nfront), npiv));
    const index_t whole = columns >= tile ? columns / tile * tile : columns;
    return whole > 0 ? whole : npiv;
}

TreeCut cut_tree(const Analysis& analysis, const TreeShares& shares, count_t most_scalars, const CutCosts& costs,
                 const ParallelFor& parallel_for) {
    const Cuts cuts(analysis, shares, most_scalars);
    TreeCut whole = cuts.whole();
    if (cuts.fits(whole) && has_room_for_all(analysis, whole, most_scalars)) return whole;
    if (!whole.plan.shared().empty()) whole = cuts.whole_but_by_one();
    if (cuts.fits(whole) && has_room_for_all(analysis, whole, most_scalars)) return whole;
    std::vector<TriedCut> tried = cuts_to_try(cuts, whole, parallel_for);
    for_each(parallel_for, static_cast<count_t>(tried.size()), [&](count_t k) {
        TriedCut& one = tried[at(k)];
        const TreeCut cut = cuts.saved(one.ranges, one.for_memory);
        if (cuts.fits(cut)) one.seconds = seconds_of_cut(analysis, cut, most_scalars, costs);
    });
    const TriedCut* const best = quickest(tried, costs);
    return best == nullptr || !best->for_memory ? std::move(whole) : cuts.saved(best->ranges, true);
}

TreeCut cut_as_before(const AssemblyTree& tree, const CutBefore& before, count_t most_scalars) {
    std::vector<SubtreePlan::Range> ranges;
    for (const TreePiece& piece : before.pieces) {
        ranges.push_back({piece.first_front, piece.last_front, piece.device});
        ranges.back().strip_columns = piece.strip_columns;
    }
    return saved_cut(tree, std::move(ranges), most_scalars, before.in_parts);
}

TreeCut cut_beside_cores(const AssemblyTree& tree, const Mapping& mapping, const CorePieces& pieces) {
    std::vector<SubtreePlan::Range> of_cores;
    for (const index_t s : pieces.subtrees)
        of_cores.push_back(
            {mapping.subtrees[at(s)].first_front, mapping.subtrees[at(s)].root_front, SubtreePlan::on_cores});
    SubtreePlan plan(tree, std::move(of_cores), pieces.depth);
    SavedBlocks saved(tree, plan, {std::numeric_limits<count_t>::max()});
    return {std::move(plan), std::move(saved), false};
}

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/pieces.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/vector_index.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace frond {
namespace {

struct SizedPiece {
    Piece piece;
    count_t scalars = 0;
    bool whole = true;  // of whole subtrees
};

/// Subtrees small enough and single fronts, children before parents.
class Cutter {
public:
    Cutter(const AssemblyTree& tree, const TreeShares& shares, const PieceLimit& limit) : tree_(tree), limit_(limit) {
        for (const SharedPart& part : shares.parts) {
            device_ = part.device;
            part.whole ? cut_subtree(part.root) : add({part.root, part.root, device_}, false);
        }
    }

    std::vector<SizedPiece> pieces;

private:
    void add(const Piece& piece, bool whole) { pieces.push_back({piece, scalars_of(piece), whole}); }

    count_t scalars_of(const Piece& piece) const {
        return limit_.scalars ? limit_.scalars(piece.first_front, piece.last_front) : 0;
    }

    void cut_subtree(index_t root) {
        waiting_.emplace_back(root, false);
        while (!waiting_.empty()) {
            const auto [front, children_are_cut] = waiting_.back();
            waiting_.pop_back();
            children_are_cut ? add({front, front, device_}, false) : cut(front);
        }
    }

    void cut(index_t front) {
        const Piece piece{tree_.first_descendant[at(front)], front, device_};
        if (piece.first_front == front || scalars_of(piece) <= limit_.most_scalars) return add(piece, true);
        waiting_.emplace_back(front, true);
        for (count_t c = tree_.child_begin[at(front) + 1]; c-- > tree_.child_begin[at(front)];)
            waiting_.emplace_back(tree_.children[at(c)], false);
    }

    const AssemblyTree& tree_;
    const PieceLimit& limit_;
    index_t device_ = 0;
    std::vector<std::pair<index_t, bool>> waiting_;  // a front, and whether its children come before it
};

}  // namespace

std::vector<Piece> cut_into_pieces(const AssemblyTree& tree, const TreeShares& shares, const PieceLimit& limit) {
    std::vector<Piece> joined;
    const SizedPiece* last = nullptr;
    count_t together = 0;  // at most, of the last of joined
    const Cutter cutter(tree, shares, limit);
    for (const SizedPiece& next : cutter.pieces) {
        const bool beside = last != nullptr && last->whole && next.whole && last->piece.device == next.piece.device &&
                            last->piece.last_front + 1 == next.piece.first_front;
        const bool joins = beside && together + next.scalars <= limit.most_scalars;
        together = joins ? together + next.scalars : next.scalars;
        joins ? void(joined.back().last_front = next.piece.last_front) : joined.push_back(next.piece);
        last = &next;
    }
    return joined;
}

namespace {

/// More of them balance no better, and each takes the time of whoever submits it.
constexpr index_t most_pieces_per_core = 4;

/// Below each depth, what the device has to do there.
class CoreChoice {
public:
    CoreChoice(const AssemblyTree& tree, const Mapping& mapping, const std::vector<double>& front_flops,
               const DeviceAndCores& machine)
        : tree_(tree), mapping_(mapping), machine_(machine), depth_(tree.fronts.size(), 0), work_(tree.fronts.size()) {
        std::vector<index_t> longest;
        for (index_t f = tree.front_count() - 1; f >= 0; --f) {
            const Front& front = tree.fronts[at(f)];
            if (front.parent >= 0) depth_[at(f)] = depth_[at(front.parent)] + 1;
            if (at(depth_[at(f)]) >= longest.size()) longest.resize(at(depth_[at(f)]) + 1, 0);
            longest[at(depth_[at(f)])] = std::max(longest[at(depth_[at(f)])], front.npiv);
            const double bytes = static_cast<double>(machine.scalar_bytes) * front.nfront * front.nfront;
            work_[at(f)] =
                front_flops[at(f)] / machine.device_flops_per_second + bytes / machine.device_bytes_per_second;
        }
        below_.assign(longest.size() + 1, 0);
        for (index_t f = 0; f < tree.front_count(); ++f) below_[at(depth_[at(f)])] += work_[at(f)];
        for (std::size_t d = longest.size(); d-- > 0;)
            below_[d] += below_[d + 1] + machine.level_seconds + machine.pivot_seconds * longest[d];
        for (std::size_t s = 0; s < mapping.subtrees.size(); ++s) add_candidate(static_cast<index_t>(s));
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [](const Candidate& a, const Candidate& b) { return a.on_device > b.on_device; });
    }

    CorePieces best() const {
        CorePieces best;
        best.seconds = best.seconds_without = below_[0];
        for (index_t depth = 1; at(depth) + 1 < below_.size(); ++depth) see_depth(depth, best);
        if (best.seconds > machine_.worthwhile * best.seconds_without) best.subtrees.clear();
        std::sort(best.subtrees.begin(), best.subtrees.end());
        return best;
    }

private:
    struct Candidate {
        index_t subtree = 0, depth = 0;  // of its root
        double on_core = 0, on_device = 0;  // seconds
        double bytes = 0;  // of what goes to the device
    };

    /// A bundle of whole trees has no parent that waits for it, and a root no depth below which it could be.
    void add_candidate(index_t number) {
        const Subtree& subtree = mapping_.subtrees[at(number)];
        const double scalar_bytes = static_cast<double>(machine_.scalar_bytes);
        const double factors = scalar_bytes * static_cast<double>(subtree.factor_scalars);
        const index_t ncb = tree_.fronts[at(subtree.root_front)].ncb();
        Candidate c{number, depth_[at(subtree.root_front)], 0, 0, factors + scalar_bytes * ncb * ncb};
        if (c.depth == 0) return;
        c.on_core = subtree.flops / machine_.core_flops_per_second + factors / machine_.core_bytes_per_second;
        for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) c.on_device += work_[at(f)];
        candidates_.push_back(c);
    }

    /// What several subtrees on cores cost together.
    struct Load {
        double on_cores = 0, longest = 0, bytes = 0;
        double below = 0, above = 0;  // that the device is spared, from the depth down and above it

        double seconds(const DeviceAndCores& machine) const {
            return std::max(on_cores / machine.cores + longest, bytes / machine.link_bytes_per_second);
        }
    };

    Load with(Load load, const Candidate& c, index_t depth) const {
        load.on_cores += c.on_core, load.bytes += c.bytes, load.longest = std::max(load.longest, c.on_core);
        const Subtree& subtree = mapping_.subtrees[at(c.subtree)];
        for (index_t f = subtree.first_front; f <= subtree.root_front; ++f)
            (depth_[at(f)] < depth ? load.above : load.below) += work_[at(f)];
        return load;
    }

    /// What would let the device wait is left to it.
    void see_depth(index_t depth, CorePieces& best) const {
        std::vector<index_t> subtrees;
        Load load;
        const std::size_t most = at(most_pieces_per_core * machine_.cores);
        for (const Candidate& c : candidates_) {
            if (c.depth > depth) continue;
            if (subtrees.size() == most) return;
            const Load more = with(load, c, depth);
            const double device = below_[at(depth)] - more.below;
            if (more.seconds(machine_) > device) continue;
            load = more;
            subtrees.push_back(c.subtree);
            const double seconds =
                below_[0] - load.below - load.above + machine_.piece_seconds * static_cast<double>(subtrees.size());
            if (seconds < best.seconds) best.subtrees = subtrees, best.depth = depth, best.seconds = seconds;
        }
    }

    const AssemblyTree& tree_;
    const Mapping& mapping_;
    const DeviceAndCores& machine_;
    std::vector<index_t> depth_;
    std::vector<double> work_;  // seconds of each front on the device while others run
    std::vector<double> below_;  // [depths + 1] seconds of the device from its deepest level to that of the depth
    std::vector<Candidate> candidates_;  // those that spare the device most first
};

}  // namespace

CorePieces choose_core_pieces(const AssemblyTree& tree, const Mapping& mapping, const std::vector<double>& front_flops,
                              const DeviceAndCores& machine) {
    FROND_EXPECTS(front_flops.size() == tree.fronts.size(), "front_flops has not one entry a front");
    if (tree.fronts.empty() || machine.cores < 1) return {};
    return CoreChoice(tree, mapping, front_flops, machine).best();
}

namespace {

/// b^3 / 3 + b^2 n + b n^2 for a panel of order b before a tile of order n; L U: 2 b^3 / 3 + b^2 n + 2 b n^2.
double chain_of_front(const TileGrid& grid, Factorization kind) {
    const double triangles = kind == Factorization::lu ? 2 : 1;
    double flops = 0;
    for (index_t t = 0; t < grid.own_tiles; ++t) {
        const double b = grid.size(t), n = t + 1 < grid.tiles() ? grid.size(t + 1) : 0;
        flops += triangles * b * b * b / 3 + b * b * n + triangles * b * n * n;
    }
    return flops;
}

}  // namespace

double task_chain_flops(const AssemblyTree& tree, const Mapping& mapping, Factorization kind) {
    FROND_EXPECTS(mapping.subtree_of_front.size() == tree.fronts.size(), "the mapping is of another tree");
    std::vector<double> below(tree.fronts.size(), 0.0);
    double longest = 0;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t subtree = mapping.subtree_of_front[at(f)], parent = tree.fronts[at(f)].parent;
        if (subtree >= 0 && mapping.subtrees[at(subtree)].root_front != f) continue;
        const double own = subtree >= 0 ? mapping.subtrees[at(subtree)].flops
                                        : chain_of_front(mapping.grids[at(mapping.grid_of_front[at(f)])], kind);
        const double end = below[at(f)] + own;
        longest = std::max(longest, end);
        if (parent >= 0) below[at(parent)] = std::max(below[at(parent)], end);
    }
    return longest;
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/front_panels.hpp"
#include "step_plan.hpp"

namespace frond::gpu {

/// Leading dimension of a front's square: columns of large fronts start at multiples of 64 bytes.
constexpr index_t square_ld(index_t order) { return order < 64 ? order : (order + 7) / 8 * 8; }

/// The scalars that a front by strips of so many columns takes; if there are several strips, two have room at a time.
inline count_t scalars_by_strips(const Front& front, index_t strip_columns) {
    const index_t rooms = strip_columns < front.ncb() ? 2 : 1;
    return round_up_8(static_cast<count_t>(square_ld(front.nfront)) * front.npiv) +
           rooms * round_up_8(static_cast<count_t>(square_ld(front.nfront)) * strip_columns);
}

/// Ranges of fronts, one after the other, each by levels, the deepest first: children are one level below their
/// parent, so the squares of two levels in turn are all that is there at a time. A range holds whole subtrees, or
/// one front above earlier ranges. Such a front may be there by strips: its fully summed columns, and of the others so
/// many at a time, in two rooms in turn. Ranges of several devices: each has its own squares. Or all devices do such a
/// front together, by blocks of columns, which are no squares of this plan: each block of fully summed columns is a
/// level by itself, each other one a strip.
class SubtreePlan {
public:
    static constexpr index_t on_cores = -1, by_all = -2;  // in place of a device

    struct Level {
        index_t first = 0, last = 0;  // of fronts()
        count_t begin = 0;  // of its squares
        count_t scalars = 0;
        index_t largest_order = 0;
        index_t first_launch = 0, last_launch = 0;
        index_t first_strip = 0, last_strip = 0;  // of strips(), those of its one front
    };

    /// Columns [first, last) of fronts()[front].
    struct Strip {
        index_t front = 0, first = 0, last = 0;
        count_t begin = 0;  // of its columns
    };

    struct Range {
        index_t first_front = 0, last_front = 0;  // last: inclusive
        index_t device = 0;
        index_t strip_columns = 0;  // of a single front that is there by strips
        index_t first_level = 0, last_level = 0;  // of levels(), set here
        std::vector<index_t> block_cut{};  // by_all: where blocks of columns begin, and the end; npiv is one of them
        index_t tail = 0;  // by_all: one of these; the fully summed columns from here on are joined in the end
    };

    /// A front that all devices do.
    struct SharedFront {
        index_t range = 0, front = 0;  // of ranges(), of the tree
        std::vector<index_t> cut;  // [blocks + 1]
        index_t own_blocks = 0;  // of fully summed columns
        index_t tail = 0;  // block; those from here on, as far as they are fully summed, are joined to one
        index_t first_square = 0;  // of fronts(), for each of those before, and of the joined one
        index_t first_strip = 0;  // of strips(), for each of the others
        count_t scalars = 0;  // of all columns

        bool has_tail() const { return tail < own_blocks; }
        index_t tail_columns() const {
            return cut[static_cast<std::size_t>(own_blocks)] - cut[static_cast<std::size_t>(tail)];
        }
        /// The joined one has this number, behind all others.
        index_t blocks() const { return static_cast<index_t>(cut.size()) - 1; }
        index_t columns(index_t block) const {
            if (block == blocks()) return tail_columns();
            return cut[static_cast<std::size_t>(block) + 1] - cut[static_cast<std::size_t>(block)];
        }
    };

    SubtreePlan(const AssemblyTree& tree, std::vector<Range> ranges);
    /// Subtrees of cores, which have no levels here, then one device's ranges: the levels of all other fronts at `depth`
    /// (roots: 0) and below it, and those above, which go on in the same squares. Either may be missing.
    SubtreePlan(const AssemblyTree& tree, std::vector<Range> of_cores, index_t depth);

    const std::vector<Range>& ranges() const { return ranges_; }
    /// [fronts] from the first range's first one on
    const std::vector<index_t>& range_of_fronts() const { return range_of_; }
    /// Whether what one range leaves in its squares is there for the other.
    bool share_squares(index_t range, index_t other) const {
        return range == other || (is_beside_cores_ && ranges_[static_cast<std::size_t>(range)].device >= 0 &&
                                  ranges_[static_cast<std::size_t>(other)].device >= 0);
    }
    /// Fronts of the tree, level by level.
    const std::vector<index_t>& fronts() const { return fronts_; }
    const std::vector<Level>& levels() const { return levels_; }
    const std::vector<Strip>& strips() const { return strips_; }
    const std::vector<SharedFront>& shared() const { return shared_; }
    /// Null: it is in one range alone.
    const SharedFront* shared_front(index_t tree_front) const {
        for (const SharedFront& one : shared_)
            if (one.front == tree_front) return &one;
        return nullptr;
    }
    /// The scalars of all columns of shared fronts, for which each device has room.
    count_t shared_scalars() const {
        count_t scalars = 0;
        for (const SharedFront& one : shared_) scalars += one.scalars;
        return scalars;
    }
    /// Which device has a block of columns of a front that all of them do.
    index_t device_of_block(index_t block) const { return block % devices(); }
    /// Where the square of a front starts.
    count_t square_at(index_t tree_front) const { return square_at_[local(tree_front)]; }
    /// How many share the ranges.
    index_t devices() const { return static_cast<index_t>(square_scalars_.size()); }
    /// Room for all squares that are on a device at a time.
    count_t square_scalars(index_t device = 0) const { return square_scalars_[static_cast<std::size_t>(device)]; }

    /// The steps of each level. Fronts on tiles are cut where their tiles are. searched: as PlanRequest has them.
    template <class T>
    void add_steps(const Analysis& analysis, const std::vector<DenseFront<T>>& squares,
                   const std::vector<char>& searched, StepPlan& steps) {
        StepCuts cuts = cuts_of(analysis);
        if (!searched.empty())
            cuts.searches = [&](index_t square) {
                return searched[static_cast<std::size_t>(fronts_[static_cast<std::size_t>(square)])] != 0;
            };
        for (Level& level : levels_) {
            level.first_launch = static_cast<index_t>(steps.launches.size());
            steps.add(analysis.factorization, squares, level.first, level.last, cuts);
            level.last_launch = static_cast<index_t>(steps.launches.size());
        }
    }

    /// End of the rows from `first` on, among which pivots of the front are put in order: all, or those of a tile.
    static index_t end_of_ordered_rows(const Analysis& analysis, index_t tree_front, index_t first);

private:
    void add(const AssemblyTree& tree, Range& range, index_t number);
    void add_by_strips(const Front& front, Range& range, index_t number);
    void add_by_all(const Front& front, Range& range, index_t number);
    void add_split(const AssemblyTree& tree, index_t depth);
    StepCuts cuts_of(const Analysis& analysis) const;
    std::size_t local(index_t tree_front) const { return static_cast<std::size_t>(tree_front - first_front_); }

    index_t first_front_;
    std::vector<Range> ranges_;
    std::vector<index_t> range_of_;  // [local]; -1: in none
    bool is_beside_cores_ = false;
    std::vector<index_t> fronts_;
    std::vector<count_t> square_at_;
    std::vector<Level> levels_;
    std::vector<Strip> strips_;
    std::vector<SharedFront> shared_;
    std::vector<count_t> square_scalars_;  // [devices]
};

}  // namespace frond::gpu

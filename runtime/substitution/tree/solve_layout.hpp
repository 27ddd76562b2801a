// SPDX-License-Identifier: BSD-3-Clause
// Which entries of a vector each rank has before and after a substitution.
#pragma once

#include <span>
#include <vector>

#include "factors/shared_solve.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/cpu/dense_view.hpp"
#include "substitution/tree/position_routes.hpp"

namespace frond::detail {

/// Each position of x [n, rhs], in elimination order, is on one rank. Known alike on all ranks.
class SolveLayout {
public:
    /// Each position belongs to its unit's owner, unless it has moved to another rank.
    SolveLayout(const std::vector<PlannedUnit>& units, const TreeShare& share, const std::map<index_t, index_t>& moved);

    /// Number of positions that the rank has.
    count_t positions(index_t rank) const { return parts_[static_cast<std::size_t>(rank)].count; }

    /// Values of the rank's positions, ascending, column by column: [positions(rank), x.cols].
    /// @throws std::bad_alloc
    template <class T>
    LargeVector<T> pack(index_t rank, DenseView<const T> x) const;
    /// The other way round.
    /// @pre values.size() = positions(rank) x.cols
    template <class T>
    void unpack(index_t rank, std::span<const T> values, DenseView<T> x) const;

private:
    struct Interval {
        index_t begin = 0, end = 0;
    };
    struct Part {
        std::vector<Interval> intervals;  // ascending, disjoint
        count_t count = 0;
    };

    void add(index_t rank, index_t begin, index_t end);

    std::vector<Part> parts_;  // [ranks]
};

/// Where x must be before a substitution, and is after it: with the owners of the units before a forward and after a
/// backward sweep; between the two with the ranks to which second passes have fetched columns.
struct SolveLayouts {
    SolveLayout before, after;
};

/// Cost: O((units + positions named) log). named: Ownership::second_pass_positions
SolveLayouts solve_layouts(const Analysis& analysis, const TreeShare& share,
                           const std::vector<SecondPassPositions>& named, SolvePart part);

}  // namespace frond::detail

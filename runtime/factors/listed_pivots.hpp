// SPDX-License-Identifier: BSD-3-Clause
// Pivots of many columns, without the diagonal blocks that they are in.
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/vector_index.hpp"
#include "messages/tree_share.hpp"

namespace frond::detail {

/// Where columns are in a list that has some of all.
class ColumnPlaces {
public:
    /// Columns [first, end), behind those that are there.
    void add(index_t first, index_t end);
    /// When all are there, in any order; before place().
    void sort();
    count_t columns() const noexcept { return columns_; }
    /// Less than 0: it is not in the list. Columns that were added together follow it there.
    count_t place(index_t column) const;

private:
    struct Run {
        index_t first = 0, end = 0;
        count_t place = 0;
    };
    std::vector<Run> runs_;
    count_t columns_ = 0;
};

/// As much as determinants, inertia, ranks and null spaces ask for.
template <class T>
struct ListedPivots {
    ColumnPlaces places;  // by elimination positions
    LargeVector<T> value;  // the diagonal; of L D L^H records as PivotBlock::pivots
    LargeVector<index_t> perm;  // as PivotBlock::perm; L L^H: empty

    static count_t width(Factorization kind) { return has_block_diagonal(kind) ? 2 : 1; }
    /// Makes entries for all columns that were added, with any values.
    void resize(Factorization kind) {
        value.resize(at(places.columns() * width(kind)));
        perm.resize(kind == Factorization::llt ? 0 : at(places.columns()));
    }
};

/// visit(front) for the units, each by its front (a subtree's root), in elimination order.
template <class Visit>
void for_each_unit(const Analysis& analysis, const Visit& visit) {
    for (index_t f = 0; f < analysis.tree.front_count(); ++f) {
        const index_t s = analysis.mapping.subtree_of_front[at(f)];
        if (s >= 0) f = analysis.mapping.subtrees[at(s)].root_front;
        visit(f);
    }
}

/// visit(first column, end) for each diagonal block of a unit: of a front in a subtree, or a diagonal tile; the columns of a
/// subtree are one where no front has an order of its own (L L^H).
template <class Visit>
void for_each_block_of_unit(const Analysis& analysis, index_t unit, const Visit& visit) {
    const std::vector<Front>& fronts = analysis.tree.fronts;
    const Front& root = fronts[at(unit)];
    if (const index_t s = analysis.mapping.subtree_of_front[at(unit)]; s >= 0) {
        const index_t first = analysis.mapping.subtrees[at(s)].first_front;
        if (analysis.factorization == Factorization::llt)
            return visit(fronts[at(first)].first_column, root.first_column + root.npiv);
        for (index_t f = first; f <= unit; ++f)
            visit(fronts[at(f)].first_column, fronts[at(f)].first_column + fronts[at(f)].npiv);
        return;
    }
    const TileGrid& grid = analysis.mapping.grids[at(analysis.mapping.grid_of_front[at(unit)])];
    for (index_t t = 0; t < grid.own_tiles; ++t)
        visit(root.first_column + grid.cut[at(t)], root.first_column + grid.cut[at(t) + 1]);
}

/// Adds the columns whose diagonal blocks a rank has.
void add_columns_of_rank(const Analysis& analysis, const TreeShare& share, index_t rank, ColumnPlaces& places);

}  // namespace frond::detail

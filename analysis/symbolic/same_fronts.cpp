// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/delay_pivots.hpp"

#include <algorithm>

#include "frond/base/vector_index.hpp"

namespace frond {
namespace {

/// A front before and after.
class FrontPair {
public:
    FrontPair(const Analysis& before, const Analysis& after, index_t front, index_t other)
        : before_(before),
          after_(after),
          front_(front),
          other_(other),
          a_(before.tree.fronts[at(front)]),
          b_(after.tree.fronts[at(other)]) {}

    bool is_same(const std::vector<index_t>& number) const {
        return a_.npiv == b_.npiv && a_.nfront == b_.nfront && has_same_columns() && has_same_rows() &&
               has_same_children(number) && is_cut_alike();
    }

private:
    bool is_of_one_unknown(index_t position, index_t other) const {
        return before_.row_order[at(position)] == after_.row_order[at(other)] &&
               before_.column_order[at(position)] == after_.column_order[at(other)];
    }

    /// Pairs decide where steps of pivots end.
    bool has_same_columns() const {
        const auto joins = [](const Analysis& analysis, index_t position) {
            return !analysis.pair_with_next.empty() && analysis.pair_with_next[at(position)] != 0;
        };
        for (index_t k = 0; k < a_.npiv; ++k) {
            const index_t position = a_.first_column + k, other = b_.first_column + k;
            if (!is_of_one_unknown(position, other) || joins(before_, position) != joins(after_, other)) return false;
        }
        return true;
    }

    bool has_same_rows() const {
        const auto row = before_.tree.rows.begin() + a_.rows_begin;
        return std::equal(row, row + a_.ncb(), after_.tree.rows.begin() + b_.rows_begin,
                          [this](index_t position, index_t other) { return is_of_one_unknown(position, other); });
    }

    bool has_same_children(const std::vector<index_t>& number) const {
        const auto children = [](const AssemblyTree& tree, index_t f) {
            return std::pair{tree.children.begin() + tree.child_begin[at(f)],
                             tree.children.begin() + tree.child_begin[at(f) + 1]};
        };
        const auto [first, last] = children(before_.tree, front_);
        const auto [other_first, other_last] = children(after_.tree, other_);
        return std::equal(first, last, other_first, other_last,
                          [&number](index_t child, index_t other) { return number[at(child)] == other; });
    }

    bool is_cut_alike() const {
        const index_t grid = before_.mapping.grid_of_front[at(front_)],
                      other = after_.mapping.grid_of_front[at(other_)];
        if (grid < 0 || other < 0) return grid < 0 && other < 0;
        return before_.mapping.grids[at(grid)].cut == after_.mapping.grids[at(other)].cut;
    }

    const Analysis &before_, &after_;
    index_t front_, other_;
    const Front &a_, &b_;
};

}  // namespace

std::vector<index_t> fronts_after_delays(const AssemblyTree& tree, const std::vector<DelayedPivot>& delayed) {
    std::vector<index_t> columns_left, front_of;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        columns_left.push_back(tree.fronts[at(f)].npiv);
        front_of.insert(front_of.end(), at(tree.fronts[at(f)].npiv), f);
    }
    for (const DelayedPivot& d : delayed) {
        --columns_left[at(front_of[at(d.column)])];
        ++columns_left[at(d.front)];
    }
    std::vector<index_t> number;
    index_t next = 0;
    for (const index_t columns : columns_left) number.push_back(columns > 0 ? next++ : -1);
    return number;
}

std::vector<char> same_fronts(const Analysis& before, const Analysis& after, const std::vector<index_t>& number) {
    const AssemblyTree& tree = before.tree;
    std::vector<char> is_same(tree.fronts.size(), 1);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t other = number[at(f)], parent = tree.fronts[at(f)].parent;
        const bool same = is_same[at(f)] != 0 && other >= 0 && FrontPair(before, after, f, other).is_same(number);
        is_same[at(f)] = same ? 1 : 0;
        if (!same && parent >= 0) is_same[at(parent)] = 0;
    }
    return is_same;
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "../elimination_tree/forest.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"

namespace frond {

namespace {

/// An entry of B = P A Q in its column.
struct Placed {
    index_t row;
    count_t source;
};

/// The entries of B that the factorization wants, by columns, rows ascending.
struct PlacedColumns {
    std::vector<count_t> begin;  // [n + 1]
    std::vector<Placed> entry;
};

/// Calls place(row, column, source) for every entry of B that the factorization wants.
template <class Place>
void for_each_placed(const Pattern& a, bool one_triangle, bool symmetric_kind,
                     const std::vector<index_t>& row_position,
                     const std::vector<index_t>& column_position, Place place) {
    for (index_t j = 0; j < a.cols; ++j) {
        const index_t column = column_position[j];
        for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) {
            const index_t i = a.row[e];
            const index_t row = row_position[i];
            if (!symmetric_kind) {
                place(row, column, e);
                if (one_triangle && i != j) place(row_position[j], column_position[i], ~e);
            } else if (row >= column) {
                place(row, column, e);
            } else {
                place(column, row, ~e);
            }
        }
    }
}

PlacedColumns place_entries(const Pattern& a, bool one_triangle, bool symmetric_kind,
                            const std::vector<index_t>& row_order,
                            const std::vector<index_t>& column_order) {
    const std::vector<index_t> row_position = inverse_permutation(row_order);
    const std::vector<index_t> column_position = inverse_permutation(column_order);
    PlacedColumns columns;
    columns.begin.assign(static_cast<std::size_t>(a.cols) + 1, 0);
    std::vector<count_t>& begin = columns.begin;
    for_each_placed(a, one_triangle, symmetric_kind, row_position, column_position,
                    [&](index_t, index_t column, count_t) { ++begin[column + 1]; });
    for (index_t k = 0; k < a.cols; ++k) begin[k + 1] += begin[k];
    columns.entry.resize(static_cast<std::size_t>(begin[a.cols]));
    std::vector<count_t> next(begin.begin(), begin.end() - 1);
    for_each_placed(a, one_triangle, symmetric_kind, row_position, column_position,
                    [&](index_t row, index_t column, count_t source) {
                        columns.entry[next[column]++] = {row, source};
                    });
    for (index_t k = 0; k < a.cols; ++k) {
        std::sort(columns.entry.begin() + begin[k], columns.entry.begin() + begin[k + 1],
                  [](const Placed& x, const Placed& y) { return x.row < y.row; });
    }
    return columns;
}

/// Entries by front, columns ascending within each, rows ascending within a column; row and column
/// are still elimination positions.
EntryMap sort_by_front(const PlacedColumns& columns, const AssemblyTree& tree) {
    std::vector<index_t> front_of(static_cast<std::size_t>(tree.order));
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[f];
        std::fill_n(front_of.begin() + front.first_column, front.npiv, f);
    }
    EntryMap map;
    map.front_begin.assign(tree.fronts.size() + 1, 0);
    for (index_t k = 0; k < tree.order; ++k) {
        for (count_t e = columns.begin[k]; e < columns.begin[k + 1]; ++e) {
            ++map.front_begin[front_of[std::min(k, columns.entry[e].row)] + 1];
        }
    }
    for (index_t f = 0; f < tree.front_count(); ++f) map.front_begin[f + 1] += map.front_begin[f];
    map.source.resize(columns.entry.size());
    map.row.resize(columns.entry.size());
    map.column.resize(columns.entry.size());
    std::vector<count_t> next(map.front_begin.begin(), map.front_begin.end() - 1);
    for (index_t k = 0; k < tree.order; ++k) {
        for (count_t e = columns.begin[k]; e < columns.begin[k + 1]; ++e) {
            const Placed& placed = columns.entry[e];
            const count_t to = next[front_of[std::min(k, placed.row)]]++;
            map.source[to] = placed.source;
            map.row[to] = placed.row;
            map.column[to] = k;
        }
    }
    return map;
}

/// Elimination positions to local numbers, front by front.
void make_local(EntryMap& map, const AssemblyTree& tree) {
    std::vector<index_t> local(static_cast<std::size_t>(tree.order));
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[f];
        for (index_t i = 0; i < front.npiv; ++i) local[front.first_column + i] = i;
        for (index_t i = 0; i < front.ncb(); ++i) {
            local[tree.rows[front.rows_begin + i]] = front.npiv + i;
        }
        for (count_t e = map.front_begin[f]; e < map.front_begin[f + 1]; ++e) {
            map.row[e] = local[map.row[e]];
            map.column[e] = local[map.column[e]];
        }
    }
}

}  // namespace

// An entry belongs to the front that eliminates the first of its row and column: until then no
// other front reads it. Two counting sorts, by column of B and by front.
EntryMap map_entries(const Pattern& a, Symmetry symmetry, const std::vector<index_t>& row_order,
                     const std::vector<index_t>& column_order, const AssemblyTree& tree,
                     Factorization kind) {
    FROND_EXPECTS(a.rows == tree.order && a.cols == tree.order &&
                      static_cast<index_t>(row_order.size()) == tree.order &&
                      static_cast<index_t>(column_order.size()) == tree.order,
                  "the matrix is " + std::to_string(a.rows) + " x " + std::to_string(a.cols) +
                      ", the tree has " + std::to_string(tree.order) + " columns");
    const bool one_triangle = symmetry == Symmetry::symmetric || symmetry == Symmetry::hermitian;
    const bool symmetric_kind = kind != Factorization::lu;
    FROND_EXPECTS(!symmetric_kind || one_triangle,
                  "a symmetric factorization needs a matrix stored by one triangle");
    EntryMap map = sort_by_front(
        place_entries(a, one_triangle, symmetric_kind, row_order, column_order), tree);
    make_local(map, tree);
    return map;
}

}  // namespace frond

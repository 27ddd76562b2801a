// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/delay_pivots.hpp"

#include "frond/analysis/distributed_steps.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "../base/on_threads.hpp"
#include "tree_parts.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace frond {

namespace {

/// Column `column` becomes a contribution row of front `front`.
struct PassedRow {
    index_t front = 0, column = 0;

    bool operator<(const PassedRow& other) const {
        return front != other.front ? front < other.front : column < other.column;
    }
};

/// Where the rows and columns of a tree go.
struct Moves {
    std::vector<index_t> front_of;  // [n] that a column goes to, or stays in; in old numbers
    std::vector<index_t> column_of_row;  // [n] that shares a position with the row
    std::vector<std::uint8_t> is_delayed;  // [n] columns
    std::vector<PassedRow> passed;  // ascending
    std::vector<index_t> columns_left;  // [fronts] that each front has afterwards
    std::vector<index_t> row_position, column_position;  // [n] new positions in the elimination order
};

void delay(const AssemblyTree& tree, const DelayedPivot& d, const std::vector<index_t>& old_front_of, Moves& moves) {
    const std::string name = "row " + std::to_string(d.row) + ", column " + std::to_string(d.column);
    FROND_EXPECTS(std::min(d.row, d.column) >= 0 && std::max(d.row, d.column) < tree.order,
                  name + " are none of the matrix");
    FROND_EXPECTS(!moves.is_delayed[d.column], name + ": the column is delayed twice");
    FROND_EXPECTS(old_front_of[d.row] == old_front_of[d.column], name + " are of two fronts");
    index_t f = old_front_of[d.column];
    for (; f >= 0 && f < d.front; f = tree.fronts[f].parent) moves.passed.push_back({f, d.column});
    FROND_EXPECTS(f == d.front, "front " + std::to_string(d.front) + " is not above " + name);
    moves.is_delayed[d.column] = 1;
    moves.column_of_row[d.row] = d.column;
    --moves.columns_left[old_front_of[d.column]];
    ++moves.columns_left[d.front];
    moves.front_of[d.column] = d.front;
}

/// Rows that have lost their columns get, in their order, the columns of their front that have lost their rows.
void join_left_over(const std::vector<index_t>& old_front_of, const std::vector<std::uint8_t>& row_goes, Moves& moves) {
    std::vector<index_t> rows, columns;  // by front, ascending, as many of each
    for (std::size_t k = 0; k < old_front_of.size(); ++k) {
        if (!row_goes[k] && moves.is_delayed[k]) rows.push_back(static_cast<index_t>(k));
        if (row_goes[k] && !moves.is_delayed[k]) columns.push_back(static_cast<index_t>(k));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) moves.column_of_row[rows[i]] = columns[i];
}

/// The columns of a front in their old order, those that stay before those that come.
void renumber(Moves& moves) {
    std::vector<index_t> next;
    index_t first = 0;
    for (const index_t count : moves.columns_left) {
        next.push_back(first);
        first += count;
    }
    const std::size_t n = moves.front_of.size();
    moves.column_position.resize(n);
    for (const std::uint8_t delayed : {0, 1})
        for (std::size_t k = 0; k < n; ++k)
            if (moves.is_delayed[k] == delayed) moves.column_position[k] = next[moves.front_of[k]]++;
    for (std::size_t k = 0; k < n; ++k) moves.row_position.push_back(moves.column_position[moves.column_of_row[k]]);
}

Moves moves_of(const AssemblyTree& tree, const std::vector<DelayedPivot>& delayed) {
    Moves moves;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        moves.front_of.insert(moves.front_of.end(), tree.fronts[f].npiv, f);
        moves.columns_left.push_back(tree.fronts[f].npiv);
    }
    const std::vector<index_t> old_front_of = moves.front_of;
    moves.column_of_row.resize(old_front_of.size());
    std::iota(moves.column_of_row.begin(), moves.column_of_row.end(), 0);
    moves.is_delayed.assign(old_front_of.size(), 0);
    std::vector<std::uint8_t> row_goes(old_front_of.size(), 0);
    for (const DelayedPivot& d : delayed) {
        delay(tree, d, old_front_of, moves);
        FROND_EXPECTS(!row_goes[d.row], "row " + std::to_string(d.row) + " is delayed twice");
        row_goes[d.row] = 1;
    }
    std::sort(moves.passed.begin(), moves.passed.end());
    join_left_over(old_front_of, row_goes, moves);
    renumber(moves);
    return moves;
}

/// number[f] of the fronts that have columns left, in their old order.
std::vector<index_t> numbers_of_fronts(const Moves& moves) {
    std::vector<index_t> number;
    index_t next = 0;
    for (const index_t columns : moves.columns_left) number.push_back(columns > 0 ? next++ : -1);
    return number;
}

/// The next front above f that has columns left; a root has.
index_t parent_left(const AssemblyTree& tree, const Moves& moves, index_t f) {
    index_t parent = tree.fronts[f].parent;
    while (parent >= 0 && moves.columns_left[parent] == 0) parent = tree.fronts[parent].parent;
    return parent;
}

AssemblyTree moved_tree(const AssemblyTree& tree, const Moves& moves) {
    const std::vector<index_t> number = numbers_of_fronts(moves);
    AssemblyTree result;
    result.order = tree.order;
    auto passed = moves.passed.begin();
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const auto first_passed = std::find_if(passed, moves.passed.end(), [f](const auto& p) { return p.front >= f; });
        passed = std::find_if(first_passed, moves.passed.end(), [f](const auto& p) { return p.front > f; });
        if (moves.columns_left[f] == 0) continue;
        const Front& old = tree.fronts[f];
        const index_t parent = parent_left(tree, moves, f);
        const auto begin = static_cast<count_t>(result.rows.size());
        for (count_t e = old.rows_begin; e < old.rows_begin + old.ncb(); ++e) {
            const index_t row = moves.row_position[tree.rows[e]], column = moves.column_position[tree.rows[e]];
            result.rows.push_back(row);
            if (column != row) result.rows.push_back(column);
        }
        for (auto p = first_passed; p != passed; ++p) result.rows.push_back(moves.column_position[p->column]);
        std::sort(result.rows.begin() + begin, result.rows.end());
        result.rows.erase(std::unique(result.rows.begin() + begin, result.rows.end()), result.rows.end());
        const index_t npiv = moves.columns_left[f],
                      column =
                          result.fronts.empty() ? 0 : result.fronts.back().first_column + result.fronts.back().npiv;
        result.fronts.push_back({column, npiv, npiv + static_cast<index_t>(result.rows.size() - begin),
                                 parent < 0 ? -1 : number[parent], begin});
    }
    link_fronts(result);
    find_relative_rows(result);
    return result;
}

/// [fronts of the new tree] see MovedTree.
std::vector<index_t> fronts_that_stay(const AssemblyTree& tree, const AssemblyTree& after, const Moves& moves) {
    const std::vector<index_t> number = numbers_of_fronts(moves), old_front_of = front_of_columns(tree);
    std::vector<std::uint8_t> changes(tree.fronts.size(), 0);
    for (std::size_t k = 0; k < old_front_of.size(); ++k)
        if (moves.is_delayed[k]) changes[old_front_of[k]] = changes[moves.front_of[k]] = 1;
    std::vector<index_t> before(after.fronts.size(), -1);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        if (changes[f] || tree.fronts[f].ncb() != after.fronts[number[f]].ncb()) continue;
        const auto row = tree.rows.begin() + tree.fronts[f].rows_begin;
        const bool is_same = std::equal(
            row, row + tree.fronts[f].ncb(), after.rows.begin() + after.fronts[number[f]].rows_begin,
            [&](index_t r, index_t s) { return moves.row_position[r] == s && moves.column_position[r] == s; });
        if (is_same) before[number[f]] = f;
    }
    return before;
}

std::vector<index_t> moved(const std::vector<index_t>& order, const std::vector<index_t>& position) {
    std::vector<index_t> result(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) result[position[k]] = order[k];
    return result;
}

/// The pairs whose columns still follow each other in one front.
std::vector<std::uint8_t> pairs_left(const std::vector<std::uint8_t>& pair_with_next, const Moves& moves) {
    std::vector<std::uint8_t> result(pair_with_next.size(), 0);
    for (std::size_t k = 0; k + 1 < pair_with_next.size(); ++k)
        if (pair_with_next[k] && moves.front_of[k] == moves.front_of[k + 1] &&
            moves.column_position[k + 1] == moves.column_position[k] + 1)
            result[moves.column_position[k]] = 1;
    return result;
}

}  // namespace

Analysis delay_pivots(const Analysis& analysis, const std::vector<DelayedPivot>& delayed) {
    const bool symmetric = analysis.factorization != Factorization::lu;
    for (const DelayedPivot& d : delayed)
        FROND_EXPECTS(!symmetric || d.row == d.column, "row " + std::to_string(d.row) + " goes with column " +
                                                           std::to_string(d.column) + " of a symmetric factorization");
    const Moves moves = moves_of(analysis.tree, delayed);
    Analysis result = without_tree(analysis);
    result.tree = moved_tree(analysis.tree, moves);
    result.row_order = moved(analysis.row_order, moves.row_position);
    result.column_order = moved(analysis.column_order, moves.column_position);
    result.pair_with_next = pairs_left(analysis.pair_with_next, moves);
    const MovedTree to{analysis.tree, result.tree, fronts_that_stay(analysis.tree, result.tree, moves),
                       moves.row_position, moves.column_position};
    result.entry_map = move_entries(analysis.entry_map, to, analysis.factorization,
                                    threads_for(analysis.options.threads, analysis.entries));
    cost_and_map(result);
    return result;
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// Whole rows of a matrix, and the list of entries that they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frond/base/error.hpp"
#include "frond/matrix/sparse_matrix.hpp"

namespace frond {

/// Whole rows of an order x order matrix, in any order; I is int32 or int64. Entries of row i of the view, which is row
/// row[i] of the matrix: columns index[begin[i] .. begin[i+1]), unsorted, duplicates are summed.
/// Over the ranks of a communicator every row of the matrix is there once; in a session without one, in this view.
/// With one_based, row, begin and index start at 1.
template <class T, class I = std::int32_t>
struct RowsView {
    I order = 0;
    I rows = 0;
    const I* row = nullptr;  // [rows]
    const I* begin = nullptr;  // [rows + 1]; may be null without rows
    const I* index = nullptr;  // [begin[rows]]
    const T* value = nullptr;  // [begin[rows]]
    Symmetry symmetry = Symmetry::general;
    Triangle stored = Triangle::both;  // of the rows, when symmetry is not general
    bool one_based = false;
};

namespace detail {

/// Throws for a view by rows that misses a row of the matrix, or has one twice.
void expect_every_row(const std::vector<index_t>& rows, index_t order);

/// The rows of a view as triplets. The view must outlive it.
template <class T, class I>
class RowTriplets {
public:
    /// @throws InvalidMatrix  a null array, begin that decreases, a row outside the matrix or, where all are asked for,
    ///         missing or there twice
    RowTriplets(const RowsView<T, I>& a, bool all_rows) : view_of_(a) {
        check();
        numbers_.reserve(static_cast<std::size_t>(a.rows));
        for (I i = 0; i < a.rows; ++i) {
            const count_t row = static_cast<count_t>(a.row[i]) - base();
            if (row < 0 || row >= a.order)
                throw InvalidMatrix("row[" + std::to_string(i) + "] = " + std::to_string(a.row[i]) + " is not in " +
                                    std::to_string(base()) + " .. " + std::to_string(a.order - 1 + base()) +
                                    "; rows are declared to start at " + std::to_string(base()));
            numbers_.push_back(static_cast<index_t>(row));
        }
        if (all_rows) expect_every_row(numbers_, static_cast<index_t>(a.order));
        fill_rows();
    }

    /// The numbers of the rows, from 0, as in the view.
    const std::vector<index_t>& rows() const { return numbers_; }

    TripletView<T, I> view() const {
        TripletView<T, I> triplets;
        triplets.rows = triplets.cols = view_of_.order;
        triplets.entries = static_cast<count_t>(row_of_entry_.size());
        triplets.row = row_of_entry_.data();
        triplets.column = view_of_.index;
        triplets.value = view_of_.value;
        triplets.symmetry = view_of_.symmetry;
        triplets.stored = view_of_.stored;
        triplets.one_based = view_of_.one_based;
        return triplets;
    }

private:
    count_t base() const { return view_of_.one_based ? 1 : 0; }

    void check() const {
        const RowsView<T, I>& a = view_of_;
        const count_t order = a.order, rows = a.rows;
        if (order < 0 || order > INT32_MAX || rows < 0 || rows > INT32_MAX)
            throw InvalidMatrix("rows of a matrix: order " + std::to_string(a.order) + ", " + std::to_string(a.rows) +
                                " rows; both must be from 0 to 2^31 - 1");
        if (a.rows == 0) return;
        if (a.row == nullptr || a.begin == nullptr)
            throw InvalidMatrix("the row or begin array of the view is null though it has rows; pass it");
        if (a.begin[0] != base())
            throw InvalidMatrix("begin[0] is " + std::to_string(a.begin[0]) + " and must be " + std::to_string(base()) +
                                "; check one_based");
        for (I i = 0; i < a.rows; ++i)
            if (a.begin[i + 1] < a.begin[i])
                throw InvalidMatrix("begin[" + std::to_string(i + 1) + "] = " + std::to_string(a.begin[i + 1]) +
                                    " is less than begin[" + std::to_string(i) + "]; begin must never decrease");
    }

    void fill_rows() {
        const RowsView<T, I>& a = view_of_;
        if (a.rows == 0) return;
        row_of_entry_.reserve(static_cast<std::size_t>(a.begin[a.rows] - a.begin[0]));
        for (I i = 0; i < a.rows; ++i)
            row_of_entry_.insert(row_of_entry_.end(), static_cast<std::size_t>(a.begin[i + 1] - a.begin[i]), a.row[i]);
    }

    RowsView<T, I> view_of_;
    std::vector<index_t> numbers_;
    std::vector<I> row_of_entry_;
};

}  // namespace detail
}  // namespace frond

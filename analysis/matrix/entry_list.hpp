// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/error.hpp"
#include "frond/matrix/matrix_market.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace frond::detail {

/// Entries as a file gives them, rows and columns counted from 1, growing as they come.
template <class T>
struct EntryList {
    std::vector<index_t> row;
    std::vector<index_t> column;
    std::vector<T> value;
    Symmetry symmetry = Symmetry::general;
    Triangle stored = Triangle::both;

    void reserve(count_t entries) {
        row.reserve(static_cast<std::size_t>(entries));
        column.reserve(static_cast<std::size_t>(entries));
        value.reserve(static_cast<std::size_t>(entries));
    }

    void push(index_t i, index_t j, T x) {
        row.push_back(i);
        column.push_back(j);
        value.push_back(x);
    }

    count_t entries() const { return static_cast<count_t>(row.size()); }
};

/// Rows and columns cost memory without any entry; a file must not ask for gigabytes by its size
/// line.
void check_plausible_size(const std::string& path, count_t rows, count_t cols, count_t entries);

/// Canonical matrix of a file's entries; complaints name the file and keep its numbering.
template <class T>
SparseMatrix<T> make_canonical(const EntryList<T>& list, count_t rows, count_t cols, const std::string& path,
                               InputReport* report, const ReadOptions& options) {
    check_plausible_size(path, rows, cols, list.entries());
    TripletView<T, index_t> view;
    view.rows = static_cast<index_t>(rows);
    view.cols = static_cast<index_t>(cols);
    view.entries = list.entries();
    view.row = list.row.data();
    view.column = list.column.data();
    view.value = list.value.data();
    view.one_based = true;
    view.symmetry = list.symmetry;
    view.stored = list.stored;
    try {
        SparseMatrix<T> a = make_sparse(view, report, options.require_finite ? InputChecks::all : InputChecks::none);
        if (report != nullptr) report->mirrored_upper = list.stored == Triangle::upper;
        return a;
    } catch (const InvalidMatrix& error) {
        throw InvalidMatrix(path + ": " + error.what(), path);
    }
}

class MatrixMarketParser;
class RutherfordBoeingParser;

/// The matrix behind a header that was read: a pipe cannot be opened again. Errors as the readers'.
template <class T>
SparseMatrix<T> read_from_parser(MatrixMarketParser& parser, InputReport* report, const ReadOptions& options);
template <class T>
SparseMatrix<T> read_from_parser(RutherfordBoeingParser& parser, InputReport* report, const ReadOptions& options);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// Which rank has which entries of a dense matrix.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "frond/matrix/dense_matrix_view.hpp"
#include "ranks/communicator.hpp"

namespace frond::detail {

/// Half open: numbers of rows or columns, or their positions in a list.
struct IndexRange {
    index_t begin = 0, end = 0;

    index_t size() const { return std::max(0, end - begin); }
};

/// The parts of all ranks: each has the entries in some rows and some columns.
struct DenseParts {
    struct Part {
        std::vector<index_t> row, column;  // ascending
    };
    index_t order = 0;
    Symmetry symmetry = Symmetry::general;
    bool upper = false;  // of symmetric kinds the upper triangle is read, else the lower one
    std::vector<Part> part;  // [ranks]

    bool has_one_triangle() const { return symmetry != Symmetry::general; }
    /// Rows of column c that are read.
    IndexRange rows_read(index_t c) const {
        if (!has_one_triangle()) return {0, order};
        return upper ? IndexRange{0, c + 1} : IndexRange{c, order};
    }
};

/// Places of the numbers of `range` in an ascending list.
IndexRange places_of(const std::vector<index_t>& list, IndexRange range);

/// What this rank has, in the caller's memory, and what all have.
template <class T>
class DensePart {
public:
    /// Collective. @throws InvalidArgument  on all ranks: what check_dense_part() refuses; orders, symmetries, triangles or
    ///         layouts that differ between ranks; an entry that no rank has, or two
    DensePart(Communicator& ranks, const DenseMatrixView<T>& a);

    const DenseMatrixView<T>& view() const { return view_; }
    const DenseParts& all() const { return *all_; }
    const DenseParts::Part& mine() const { return all_->part[static_cast<std::size_t>(rank_)]; }
    index_t rank() const { return rank_; }
    /// The entry in row mine().row[p] and column mine().column[q].
    T entry(index_t p, index_t q) const { return column(q)[row_place_[static_cast<std::size_t>(p)]]; }
    /// to[k] := entry(rows.begin + k, q)
    void copy(IndexRange rows, index_t q, T* to) const {
        const T* const from = column(q);
        for (index_t p = rows.begin; p < rows.end; ++p)
            to[p - rows.begin] = from[row_place_[static_cast<std::size_t>(p)]];
    }

private:
    const T* column(index_t q) const { return view_.data + count_t{column_place_[static_cast<std::size_t>(q)]} * ld_; }

    DenseMatrixView<T> view_;
    std::shared_ptr<const DenseParts> all_;
    index_t rank_ = 0;
    count_t ld_ = 0;
    std::vector<index_t> row_place_, column_place_;  // of mine().row and mine().column in the array
};

}  // namespace frond::detail

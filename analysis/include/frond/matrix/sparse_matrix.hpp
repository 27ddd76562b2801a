// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "frond/base/types.hpp"

namespace frond {

/// Pattern of a rows x cols matrix in compressed columns.
/// Rows of column j: row[begin[j] .. begin[j+1]), ascending, none twice.
struct Pattern {
    index_t rows = 0;
    index_t cols = 0;
    std::vector<count_t> begin;  // [cols + 1]
    std::vector<index_t> row;  // [begin[cols]]

    count_t entries() const { return begin.empty() ? 0 : begin.back(); }
};

/// A in compressed columns: the one form that every phase after input sees ("canonical").
/// Rows ascend within a column and none appears twice. When symmetry is symmetric or hermitian
/// only the lower triangle (row >= column) is stored; skew-symmetric input is expanded to general.
template <class T>
struct SparseMatrix {
    Pattern pattern;
    std::vector<T> value;  // [pattern.entries()]
    Symmetry symmetry = Symmetry::general;

    index_t rows() const { return pattern.rows; }
    index_t cols() const { return pattern.cols; }
    /// Stored entries; entries_full() counts both triangles.
    count_t entries() const { return pattern.entries(); }
};

/// A that its owner and the factors share instead of each keeping a copy.
template <class T>
using SharedMatrix = std::shared_ptr<const SparseMatrix<T>>;

/// Entries of the whole matrix: stored ones, plus mirrored off-diagonal ones when one triangle is stored.
count_t entries_full(const Pattern& pattern, Symmetry symmetry);

/// Compressed columns or rows owned by the caller. I is int32 or int64.
/// begin[n+1] starts at 0 (or at 1 with one_based), indices may be unsorted, duplicates are summed.
enum class Layout : std::uint8_t { columns, rows };
enum class Triangle : std::uint8_t { both, lower, upper };

template <class T, class I = std::int32_t>
struct CompressedView {
    I rows = 0;
    I cols = 0;
    const I* begin = nullptr;  // [cols + 1] (Layout::columns) or [rows + 1] (Layout::rows)
    const I* index = nullptr;  // [begin[last]]
    const T* value = nullptr;  // [begin[last]]; null: for Solver::analyze, which then analyses the pattern alone
    Layout layout = Layout::columns;
    Symmetry symmetry = Symmetry::general;
    Triangle stored = Triangle::both;  // which triangle is there when symmetry is not general
    bool one_based = false;
};

template <class T, class I = std::int32_t>
struct TripletView {
    I rows = 0;
    I cols = 0;
    count_t entries = 0;
    const I* row = nullptr;
    const I* column = nullptr;
    const T* value = nullptr;  // [entries]; null as above
    Symmetry symmetry = Symmetry::general;
    Triangle stored = Triangle::both;
    bool one_based = false;
};

/// What conversion to the canonical form found.
struct InputReport {
    count_t duplicates_summed = 0;
    count_t explicit_zeros = 0;  // kept in the pattern
    /// lower, upper: the matrix is general, square and has entries off the diagonal, all of them in that triangle: it is
    /// triangular, or the half of a symmetric one that was not declared so. Not told on several ranks.
    Triangle one_triangle = Triangle::both;
    bool mirrored_upper = false;  // a file that declares a symmetry has the upper triangle, and was read as that
};

/// none: the caller vouches for indices and values; sizes, begin and declared symmetry are still checked.
enum class InputChecks : std::uint8_t { all, none };

/// Canonical form of the caller's matrix, the same bits for any number of threads; 0: one a core that the process may use.
/// O(entries), and O(entries log(entries of a column)) where rows of a column are in no order. Memory: in addition to A
/// each entry once more with its row and column, unless entries ascend by (column, row); of both triangles also A^T.
/// Throws InvalidMatrix naming the offending entry for an index out of range, decreasing begin, NaN or Inf, an entry in
/// the wrong triangle, a non-real Hermitian diagonal, a nonzero skew diagonal, and, with Triangle::both, a pair that
/// differs by more than 64 eps max(|a_ij|, |a_ji|, sqrt(s_i s_j)), s_i the largest entry of row and column i. If two
/// triangles agree, the lower one is kept. For real scalars hermitian becomes symmetric.
template <class T, class I>
SparseMatrix<T> make_sparse(const CompressedView<T, I>& a, InputReport* report = nullptr,
                            InputChecks checks = InputChecks::all, index_t threads = 0);
template <class T, class I>
SparseMatrix<T> make_sparse(const TripletView<T, I>& a, InputReport* report = nullptr,
                            InputChecks checks = InputChecks::all, index_t threads = 0);

/// Pattern and values of A^T (no conjugation), as stored: of a stored lower triangle, the upper one.
template <class T>
SparseMatrix<T> transposed(const SparseMatrix<T>& a);
Pattern transposed(const Pattern& a);

/// Full graph of A + A^T without its diagonal: both triangles, for square a. O(entries).
Pattern symmetrized_graph(const Pattern& a);

/// General matrix with both triangles from one with a stored triangle.
template <class T>
SparseMatrix<T> expanded(const SparseMatrix<T>& a);

}  // namespace frond

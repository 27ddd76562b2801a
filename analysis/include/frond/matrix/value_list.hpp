// SPDX-License-Identifier: BSD-3-Clause
// From the order of a caller's arrays to that of the canonical matrix, for callers who promise the pattern.
#pragma once

#include <vector>

#include "frond/matrix/operations.hpp"
#include "frond/matrix/sparse_matrix.hpp"

namespace frond {

/// Where in a caller's array the values of the canonical matrix are. Immutable.
/// Of symmetric matrices given by both triangles the lower one is read, and the upper one where that lacks an entry.
class ValueList {
public:
    /// The caller's array is that of a canonical matrix.
    explicit ValueList(count_t entries) : given_(entries) {}

    /// canonical: what make_sparse made of a. O(entries); O(entries log(entries of a column)) where rows of a column
    /// are not in order, or appear twice.
    template <class T, class I>
    ValueList(const CompressedView<T, I>& a, const SparseMatrix<T>& canonical);
    template <class T, class I>
    ValueList(const TripletView<T, I>& a, const SparseMatrix<T>& canonical);

    /// How long the caller's array is.
    count_t given() const noexcept { return given_; }

    /// canonical.value := given [given()], summed where entries appear twice, as make_sparse does: the same bits.
    /// One pass, in parallel.
    /// @throws InvalidMatrix for a value that is not finite, a Hermitian diagonal that is not real, or a skew-symmetric
    ///         one that is not 0
    template <class T>
    void copy(const T* given, SparseMatrix<T>& canonical, const ParallelFor& parallel_for = {}) const;

    /// Whether the caller's array is canonical.value as it is.
    bool is_canonical() const noexcept { return source_.empty() && more_entry_.empty(); }
    /// Where it is: what copy() checks, without a copy; of `canonical` the pattern counts. @throws as copy()
    template <class T>
    void check(const T* given, const SparseMatrix<T>& canonical, const ParallelFor& parallel_for = {}) const;

private:
    template <class T, class Source>
    void make(const Source& source, Triangle stored, const SparseMatrix<T>& canonical);
    template <class T>
    count_t copy_range(const T* given, SparseMatrix<T>& canonical, count_t begin, count_t end) const;
    template <class T>
    void check_diagonal(const T* value, const Pattern& pattern) const;

    count_t given_ = 0;
    Symmetry declared_ = Symmetry::general;
    std::vector<count_t> source_;  // [entries] position, or ~position where it is mirrored; empty: the caller's order
    std::vector<count_t> more_entry_, more_source_;  // what is added, ascending by entry, in the caller's order
    std::vector<count_t> diagonal_;  // entries of a declared Hermitian or skew-symmetric matrix
};

}  // namespace frond

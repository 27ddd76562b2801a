// SPDX-License-Identifier: BSD-3-Clause
// Brings values from the order of a caller's arrays to that of the canonical matrix, for callers who promise the
// pattern.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frond/matrix/operations.hpp"
#include "frond/matrix/sparse_matrix.hpp"

namespace frond {

/// The positions of the values of the canonical matrix in a caller's array. Immutable.
/// If both triangles of a symmetric matrix are given, the lower one is read, and the upper one where that lacks an
/// entry.
class ValueList {
public:
    /// The caller's array is that of a canonical matrix.
    explicit ValueList(count_t entries) : given_(entries) {}

    /// canonical: what make_sparse made of a. By threads (0: one a core that the process may use), with the memory that
    /// make_sparse takes: O(entries), and O(entries log(entries of a column)) where rows of a column are in no order. Of
    /// skew-symmetric matrices and of both triangles by one thread.
    template <class T, class I>
    ValueList(const CompressedView<T, I>& a, const SparseMatrix<T>& canonical, index_t threads = 0);
    template <class T, class I>
    ValueList(const TripletView<T, I>& a, const SparseMatrix<T>& canonical, index_t threads = 0);

    /// True: a has the indices of the list that this was made of, in the same order and form, by a hash of 64 bits;
    /// then copy() of its values gives what make_sparse gives. Never of both triangles of a symmetric kind, whose
    /// values make_sparse compares. One pass over the indices, by threads. Nothing is checked: the list was.
    template <class View>
    bool is_of(const View& a, index_t threads = 0) const {
        return hash_ && hash_of_list(a, threads) == hash_;
    }

    /// How long the caller's array is.
    count_t given() const noexcept { return given_; }

    /// canonical.value := given [given()], summed where entries appear twice, as make_sparse does: the same bits.
    /// One pass, in parallel. zeros: where the number of values that are 0 goes.
    /// @throws InvalidMatrix for a value that is not finite, the first of the caller's array, a Hermitian diagonal that is not real, or a skew-symmetric
    ///         one that is not 0
    template <class T>
    void copy(const T* given, SparseMatrix<T>& canonical, const ParallelFor& parallel_for = {},
              count_t* zeros = nullptr) const;

    /// True: the caller's array is canonical.value as it is.
    bool is_canonical() const noexcept { return source_.empty() && more_entry_.empty(); }
    /// If it is, checks what copy() checks, without a copy; only the pattern of `canonical` counts. @throws as copy()
    template <class T>
    void check(const T* given, const SparseMatrix<T>& canonical, const ParallelFor& parallel_for = {},
               count_t* zeros = nullptr) const;

private:
    template <class T, class I>
    std::optional<std::uint64_t> hash_of_list(const CompressedView<T, I>& a, index_t threads) const;
    template <class T, class I>
    std::optional<std::uint64_t> hash_of_list(const TripletView<T, I>& a, index_t threads) const;
    /// Compares sizes before any array is read.
    template <class View>
    bool is_alike(const View& a) const {
        return a.rows == rows_ && a.cols == cols_ && !compares_triangles(a.symmetry, a.stored);
    }
    static bool compares_triangles(Symmetry declared, Triangle stored) {
        return declared != Symmetry::general && stored == Triangle::both;
    }
    template <class Source>
    void make(const Source& source, Triangle stored, const Pattern& p, index_t threads);
    template <class Source>
    void sort_places(const Source& source, Triangle stored, const Pattern& p, index_t threads);
    template <class Source>
    void find_places(const Source& source, Triangle stored, const Pattern& p);
    template <class T>
    count_t copy_range(const T* given, SparseMatrix<T>& canonical, count_t begin, count_t end) const;
    template <class T>
    void check_diagonal(const T* value, const Pattern& pattern) const;
    template <class T>
    void fail_first(const Pattern& pattern, const T* given) const;

    count_t rows_ = 0, cols_ = 0, given_ = 0, base_ = 0;
    bool swaps_ = false;  // the caller has the other triangle of a symmetric or Hermitian matrix
    Symmetry declared_ = Symmetry::general;
    std::optional<std::uint64_t> hash_;  // of the list's indices; null: a list is never this one
    std::vector<count_t> source_;  // [entries] position, or ~position where it is mirrored; empty: the caller's order
    std::vector<count_t> more_entry_, more_source_;  // what is added, ascending by entry, in the caller's order
    std::vector<count_t> diagonal_;  // entries of a declared Hermitian or skew-symmetric matrix
};

}  // namespace frond

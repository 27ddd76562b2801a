// SPDX-License-Identifier: BSD-3-Clause
// When values are scaled anew, and when an earlier scaling serves.
#pragma once

#include <algorithm>
#include <memory>
#include <span>

#include "frond/analysis/steps.hpp"
#include "frond/matrix/operations.hpp"

namespace frond {

/// Exponents of some numbers, the largest of a complex one's parts: from the least to the most.
struct ExponentRange {
    int least = 0, most = -1;

    bool is_empty() const { return least > most; }
    void see(int exponent) {
        least = std::min(least, exponent);
        most = std::max(most, exponent);
    }
    void see(const ExponentRange& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
};

/// The range of exponents of these numbers. No numbers give an empty range beyond all others, so that ranges can be
/// joined.
template <class T>
ExponentRange exponent_range(std::span<const T> numbers, const ParallelFor& parallel_for = {});

/// L L^H, and L D L^T without pivoting, of A and of Dr A Dr have the same bits but for the exponents, since the
/// scales are powers of two: so such matrices are factored as they are, unless `scaling` asks otherwise.
/// Only the range of the numbers matters: true when the exponents of all diagonal entries lie in [-200, 200]
/// (single precision: [-20, 20]). Without pivoting a null pivot is told by the largest entry: there they must,
/// moreover, lie within 8 of each other. O(n).
template <class T>
bool needs_no_scaling(const SparseMatrix<T>& a, const Analysis& analysis, bool pivots_as_they_come,
                      const ParallelFor& parallel_for = {});
/// diagonal: of all of its entries.
template <class T>
bool needs_no_scaling(const ExponentRange& diagonal, const Analysis& analysis, bool pivots_as_they_come);

/// Powers of two near 1 / sqrt(a_jj) for a matrix that was factored as it is: what its unknowns are measured in
/// where their errors are judged. Empty where the diagonal spans less than 16.
template <class T>
std::vector<double> scale_of_unknowns(const SparseMatrix<T>& a);

/// A scaling, and what tells whether it suits other values of the same pattern, too.
///
/// It does when no row's and no column's largest scaled entry has moved by more than 2^4 against what it was for the
/// values that were scaled, and no matched entry is smaller by more than 2^8. (A scaling by matching makes those
/// entries 1, so they are then bounds of the entries themselves.) Random factors up to 2^s on every entry move them
/// by 2^s and no more.
/// Immutable. @par Thread safety  all of it.
class KeptScaling {
public:
    /// stale: what compute_scaling said. Cost: one pass over the values, O(entries) bytes.
    template <class T>
    KeptScaling(Scaling scaling, bool stale, const SparseMatrix<T>& a, const Analysis& analysis,
                const ParallelFor& parallel_for = {});

    const Scaling& scaling() const noexcept { return scaling_; }
    /// The matching of the analysis suited the values that were scaled badly.
    bool stale() const noexcept { return stale_; }

    /// One pass over the values, in parallel; false where one is not finite. The pattern is not looked at.
    template <class T>
    bool suits(const SparseMatrix<T>& a, const ParallelFor& parallel_for = {}) const;

    /// All columns are matched, by entries that are not 0 in values that this scaling suits.
    bool covers_all() const noexcept { return covers_all_; }

    /// [entries] r_i a_ij c_j = 2^exponent a_ij by entry of the matrix; empty: not scaled.
    const std::vector<std::int16_t>& exponents() const noexcept { return exponent_; }
    /// The same of a_ji = +-a_ij, for L U of a matrix of which one triangle is stored; else empty.
    const std::vector<std::int16_t>& mirrored_exponents() const noexcept { return mirrored_exponent_; }

private:
    struct Largest;
    template <class T>
    Largest largest_of(const SparseMatrix<T>& a, const ParallelFor& parallel_for) const;
    void set_exponents(const Pattern& pattern, const ParallelFor& parallel_for);
    template <class T>
    void set_matched(const SparseMatrix<T>& a, const std::vector<index_t>& row_of_column);
    template <class T>
    int exponent_of_matched(const SparseMatrix<T>& a, std::size_t k) const;

    Scaling scaling_;
    bool stale_ = false, covers_all_ = false;
    bool both_triangles_ = false;  // one is stored, and stands for both
    bool symmetric_ = false;  // rows and columns are scaled alike
    std::vector<index_t> column_cut_;  // chunks of columns with about as many entries
    std::vector<std::int16_t> exponent_, mirrored_exponent_;
    std::vector<std::int32_t> row_, column_;  // exponents of the largest scaled entries
    std::vector<count_t> matched_;  // entries of the matrix, or ~entry where the mirrored one is matched
    std::vector<std::int16_t> matched_exponent_;  // scaled, as they were
};

}  // namespace frond

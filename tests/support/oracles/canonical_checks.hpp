// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <doctest/doctest.h>

namespace frond::test {

/// Rows ascend and none is out of range; of a symmetric or Hermitian matrix only row >= column.
template <class T>
void check_canonical(const SparseMatrix<T>& a) {
    const Pattern& p = a.pattern;
    const bool lower = a.symmetry == Symmetry::symmetric || a.symmetry == Symmetry::hermitian;
    REQUIRE(p.begin.size() == static_cast<std::size_t>(p.cols) + 1);
    REQUIRE(p.begin.front() == 0);
    REQUIRE(p.row.size() == static_cast<std::size_t>(p.entries()));
    REQUIRE(a.value.size() == p.row.size());
    CHECK(a.symmetry != Symmetry::skew_symmetric);
    bool good = true;
    for (index_t j = 0; j < p.cols; ++j)
        for (count_t e = p.begin[j]; e < p.begin[j + 1]; ++e) {
            good = good && p.row[e] >= (lower ? j : 0) && p.row[e] < p.rows;
            good = good && (e == p.begin[j] || p.row[e - 1] < p.row[e]);
        }
    CHECK(good);
}

template <class T>
void check_equal(const SparseMatrix<T>& a, const SparseMatrix<T>& b) {
    CHECK(a.rows() == b.rows());
    CHECK(a.cols() == b.cols());
    CHECK(a.symmetry == b.symmetry);
    CHECK(a.pattern.begin == b.pattern.begin);
    CHECK(a.pattern.row == b.pattern.row);
    CHECK(a.value == b.value);
}

}  // namespace frond::test

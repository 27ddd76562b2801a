// SPDX-License-Identifier: BSD-3-Clause
// A tridiagonal matrix that may have very many rows.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

namespace frond::test {

/// n x n, symmetric: a_jj = diagonal + (j mod 7) / 1000, and `beside` next to the diagonal.
inline SparseMatrix<double> tridiagonal(index_t n, double diagonal, double beside) {
    SparseMatrix<double> a;
    a.pattern.rows = a.pattern.cols = n;
    a.symmetry = Symmetry::symmetric;
    a.pattern.begin.push_back(0);
    for (index_t j = 0; j < n; ++j) {
        a.pattern.row.push_back(j);
        a.value.push_back(diagonal + 1e-3 * (j % 7));
        if (j + 1 < n) a.pattern.row.push_back(j + 1), a.value.push_back(beside);
        a.pattern.begin.push_back(static_cast<count_t>(a.pattern.row.size()));
    }
    return a;
}

}  // namespace frond::test

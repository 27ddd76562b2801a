// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "random_sparse.hpp"

namespace frond::test {

/// Triangles with -0.9 off the diagonal: positive minors of order 2, one eigenvalue 1 - 1.8 each.
inline SparseMatrix<double> hardly_indefinite(index_t triangles) {
    EntryTable<double> table;
    for (index_t t = 0; t < triangles; ++t)
        for (index_t j = 0; j < 3; ++j)
            for (index_t i = j; i < 3; ++i) table[{3 * t + j, 3 * t + i}] = i == j ? 1.0 : -0.9;
    for (index_t t = 0; t + 1 < triangles; ++t) table[{3 * t, 3 * t + 3}] = 0.01;
    return from_table(3 * triangles, table, Symmetry::symmetric);
}

}  // namespace frond::test

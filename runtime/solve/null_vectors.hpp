// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "solve/factor_solve.hpp"

#include <vector>

namespace frond::detail {

/// With the null columns C and rows R of the factors, A = (A_kept A_C; A_R), A_kept nonsingular:
/// Z_kept := -A_kept^-1 (A Z_C)_kept, and Z_C stays. The solve takes the rows R as consistent and
/// gives 0 at C. system, inverse: of op(A), of which Z gets right null vectors. Z [n, columns], 0 at
/// the kept entries on entry.
template <class T>
void complete_null_vectors(const LinearSystem<T>& system, FactorSolve<T>& inverse, DenseView<T> z) {
    std::vector<T> r(static_cast<std::size_t>(z.rows) * static_cast<std::size_t>(z.cols));
    const DenseView<T> rv{r.data(), z.rows, z.cols, z.rows};
    constexpr int solves = 2;  // the second is one step of refinement
    for (int s = 0; s < solves; ++s) {
        for (index_t j = 0; j < z.cols; ++j) system.multiply(z.column(j), rv.column(j));
        inverse.apply(rv);
        for (index_t j = 0; j < z.cols; ++j)
            for (index_t i = 0; i < z.rows; ++i) z(i, j) -= rv(i, j);
    }
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/frond.hpp"
#include "frond/matrix/operations.hpp"
#include "rhs_block.hpp"

#include <cmath>
#include <limits>

namespace frond::test {

/// X = A^-1 B with B = A times a known X: near it for the well conditioned matrices of these tests.
template <class T>
bool solved_rightly(const Solver<T>& solver, const SparseMatrix<T>& a, index_t rhs = 2,
                    const SolveOptions& options = {}) {
    const index_t n = a.rows();
    auto expected = RhsBlock<T>::random(n, rhs, 77);
    RhsBlock<T> b(n, rhs), x(n, rhs);
    multiply(a, Operation::none, rhs, expected.view().data, n, b.view().data, n);
    const SolveReport report = solver.solve(std::as_const(b).view(), x.view(), options);
    double worst = 0;
    for (index_t j = 0; j < rhs; ++j)
        for (index_t i = 0; i < n; ++i) {
            const double error = std::abs(x(i, j) - expected(i, j));
            if (!(error <= worst)) worst = error;
        }
    constexpr double condition = 1e5;
    return report.status == SolveStatus::converged && worst <= condition * std::numeric_limits<real_t<T>>::epsilon();
}

}  // namespace frond::test

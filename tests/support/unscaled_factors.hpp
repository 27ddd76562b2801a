// SPDX-License-Identifier: BSD-3-Clause
// Systems factored as they are given, for tests of conditions and of pivots whose sizes are known.
#pragma once

#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "shared_session.hpp"

namespace frond::test {

template <class T>
SparseMatrix<T> definite_grid(index_t side) {
    SparseMatrix<T> a = poisson2d<T>(side).matrix;
    if (is_complex<T>) a.symmetry = Symmetry::hermitian;
    return a;
}

/// Without matching; without scaling unless it is asked for.
template <class T>
Solver<T> factored(const SparseMatrix<T>& a, Factorization kind, ScalingMethod scaling = ScalingMethod::none) {
    AnalysisOptions options;
    options.factorization = kind;
    options.scaling = scaling;
    options.matching = MatchingMode::off;
    Solver<T> solver(shared_session(), options);
    solver.factor(a);
    return solver;
}

}  // namespace frond::test

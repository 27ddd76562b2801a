// SPDX-License-Identifier: BSD-3-Clause
// Systems whose trouble stays where it was planted, and what their factors solve.
#pragma once

#include "error_oracle.hpp"
#include "grid_systems.hpp"
#include "rhs_block.hpp"
#include "run_both.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

namespace frond::test {

/// In the order of the columns: nothing is matched, scaled or joined.
template <class T>
AnalysisResult as_planted(const SparseMatrix<T>& a, Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    options.ordering = OrderingMethod::natural;
    options.matching = MatchingMode::off;
    options.scaling = ScalingMethod::none;
    options.amalgamation_zeros = 1e-6;
    options.deterministic = true;
    return analyze(a, options);
}

template <class T>
SparseMatrix<T> doubled(SparseMatrix<T> a) {
    for (T& v : a.value) v = v + v;
    return a;
}

/// By cores and without refinement: its bits are those of the factors.
template <class T>
RhsBlock<T> unrefined(const Factors<T>& factors) {
    const index_t n = factors.analysis().order;
    const auto b = RhsBlock<T>::random(n, 1, 31);
    RhsBlock<T> x(n, 1);
    SolveOptions options;
    options.place = SolvePlace::host;
    options.max_refinement_steps = 0;
    options.krylov = Krylov::off;
    static_cast<void>(solve(factors, b.view(), x.view(), options));
    return x;
}

/// On the device where there is one, and right.
template <class T>
RhsBlock<T> checked_solution(const Factors<T>& factors, const SparseMatrix<T>& a) {
    const auto b = RhsBlock<T>::random(a.rows(), 2, 31);
    RhsBlock<T> x(a.rows(), 2);
    const SolveReport report = solve(factors, b.view(), x.view());
    CHECK(report.status == SolveStatus::converged);
    CHECK(report.on_device == has_device());
    CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<T>());
    return x;
}

}  // namespace frond::test

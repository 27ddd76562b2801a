// SPDX-License-Identifier: BSD-3-Clause
// Each kernel of a whole tree once, on trees of a few fronts: small enough for the tools that watch every access
// on the device (scripts/bench_on_gpu runs these cases under compute-sanitizer).
#include "error_oracle.hpp"
#include "grid_systems.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace frond;
using namespace frond::test;

namespace {

/// A X = B on the device where it can be, once and without refinement on the host.
template<class T>
void check_solve(const Factors<T>& factors, const SparseMatrix<T>& a, bool good) {
    const index_t n = a.rows();
    const auto b = RhsBlock<T>::random(n, 2, 31);
    RhsBlock<T> x(n, 2);
    const SolveReport report = solve(factors, b.view(), x.view());
    if (good) CHECK(report.on_device == has_device());
    CHECK(report.status == SolveStatus::converged);
    CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<T>());
}

template<class T>
void check_small_trees(FactorPlace place, const std::vector<ForcedMapping>& mappings) {
    constexpr index_t k = 4;
    for (const Kind& kind : kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        CAPTURE(kind.diagonal);
        const SparseMatrix<T> a = grid<T>(k, kind);
        for (const ForcedMapping& mapping : mappings) {
            CAPTURE(std::string(mapping.name));
            const Factors<T> factors = factored(a, kind.factorization, mapping, place);
            const bool good = kind.diagonal > 6; // elsewhere a pivot may leave the tree, or its solve, to cores
            if (good) CHECK(factors.report().on_device == (has_device() && place == FactorPlace::automatic));
            CHECK(factors.report().status == FactorStatus::success);
            check_solve(factors, a, good);
        }
    }
}

} // namespace

TEST_CASE_TEMPLATE_DEFINE("each kernel of a whole tree once", T, small_trees) {
    check_small_trees<T>(FactorPlace::automatic, {{"one subtree", 16, 64}, {"tiles", 16, 0}});
}

TEST_CASE_TEMPLATE_APPLY(small_trees, Scalars);

TEST_CASE_TEMPLATE_DEFINE("each kernel of the tasks once", T, small_tasks) {
    check_small_trees<T>(FactorPlace::tasks, {{"subtrees and tiles", 16, 20}});
}

TEST_CASE_TEMPLATE_APPLY(small_tasks, Scalars);

TEST_CASE_TEMPLATE_DEFINE("each kernel of a front of several blocks once", T, one_front) {
    constexpr index_t n = 163;
    for (const Kind& kind : kinds<T>()) {
        if (kind.diagonal < 6) continue;
        CAPTURE(static_cast<int>(kind.factorization));
        Random random(5);
        SystemBuilder<T> a(n, kind.symmetry);
        for (index_t j = 0; j < n; ++j) {
            a.set(j, j, real_scalar<T>(n));
            for (index_t i = kind.symmetry == Symmetry::general ? 0 : j + 1; i < n; ++i)
                if (i != j) a.set(i, j, random.value<T>());
        }
        const SparseMatrix<T> full = a.matrix();
        const Factors<T> factors = factored(full, kind.factorization, {"one tile", 200, 0}, FactorPlace::automatic);
        CHECK(factors.report().on_device == has_device());
        check_solve(factors, full, true);
    }
}

TEST_CASE_TEMPLATE_APPLY(one_front, Scalars);

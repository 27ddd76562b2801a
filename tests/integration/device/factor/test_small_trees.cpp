// SPDX-License-Identifier: BSD-3-Clause
// Each kernel of a whole tree once, on trees of a few fronts: small enough for the tools that watch every access
// on the device (scripts/bench_on_gpu runs these cases under compute-sanitizer).
#include "error_oracle.hpp"
#include "forced_sharing.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// op(A) X = B, on the device where it can be.
template <class T>
void check_solve(const Factors<T>& factors, const SparseMatrix<T>& a, bool is_there, Operation op, index_t rhs) {
    CAPTURE(static_cast<int>(op));
    CAPTURE(rhs);
    const index_t n = a.rows();
    const auto b = RhsBlock<T>::random(n, rhs, 31);
    RhsBlock<T> x(n, rhs);
    SolveOptions options;
    options.operation = op;
    const SolveReport report = solve(factors, b.view(), x.view(), options);
    if (is_there) CHECK(report.on_device == has_device());
    CHECK(report.status == SolveStatus::converged);
    CHECK(componentwise_error(apply_operation(dense(a), op), widened(x), widened(b)) <= 450 * epsilon<T>());
}

/// One right-hand side, some that share a reading of the factors, and so many that products go by tiles. L U has
/// lists of its own for transposes; other kinds solve with them as with A, or with its conjugate.
template <class T>
void check_solves(const Factors<T>& factors, const SparseMatrix<T>& a, bool with_transposes) {
    const bool has_lists = factors.analysis().factorization == Factorization::lu;
    for (const index_t rhs : {1, 2, 17}) check_solve(factors, a, true, Operation::none, rhs);
    if (!with_transposes) return;
    for (const Operation op : {Operation::transpose, Operation::adjoint}) {
        check_solve(factors, a, has_lists, op, 2);
        if (!has_lists) continue;
        for (const index_t rhs : {1, 17}) check_solve(factors, a, true, op, rhs);
    }
}

template <class T>
void check_small_trees(FactorPlace place, const std::vector<ForcedMapping>& mappings) {
    constexpr index_t k = 4;
    for (const Kind& kind : kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        CAPTURE(kind.diagonal);
        const SparseMatrix<T> a = grid<T>(k, kind);
        for (const ForcedMapping& mapping : mappings) {
            CAPTURE(std::string(mapping.name));
            const Factors<T> factors = factored(a, kind.factorization, mapping, place);
            CHECK(factors.report().status == FactorStatus::success);
            if (kind.diagonal < 6) {  // a pivot may leave the tree, or its solve, to cores
                check_solve(factors, a, false, Operation::none, 2);
                continue;
            }
            CHECK(factors.report().place.on_device == (has_device() && place == FactorPlace::automatic));
            check_solves(factors, a, mapping.subtree_columns == 0);
        }
    }
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

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
        CHECK(factors.report().place.on_device == has_device());
        check_solve(factors, full, true, Operation::none, 2);
    }
}

TEST_CASE_TEMPLATE_APPLY(one_front, Scalars);

TEST_CASE_TEMPLATE_DEFINE("each kernel of a tree that devices share once", T, shared_tree) {
    const ForcedSharing sharing(2);
    for (const Kind& kind :
         {Kind{Factorization::lu, Symmetry::general, 6.5}, Kind{Factorization::ldlt, Symmetry::symmetric, 6.5}}) {
        CAPTURE(static_cast<int>(kind.factorization));
        const SparseMatrix<T> a = grid<T>(5, kind);
        const Factors<T> factors =
            factored(a, kind.factorization, {"subtrees and tiles", 40, 30}, FactorPlace::automatic);
        CHECK(factors.report().status == FactorStatus::success);
        CHECK(factors.report().place.on_device == has_device());
        if (has_device()) CHECK(factors.report().place.devices_used == 2);
        check_solve(factors, a, true, Operation::none, 1);
    }
}

TEST_CASE_TEMPLATE_APPLY(shared_tree, Scalars);

TEST_SUITE_END();

// SPDX-License-Identifier: BSD-3-Clause
// An analysis in which columns are eliminated later serves like any other.
#include "error_oracle.hpp"
#include "frond/analysis/delay_pivots.hpp"
#include "frond/frond.hpp"
#include "hard_systems.hpp"
#include "rhs_block.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <utility>
#include <vector>

using namespace frond;
using namespace frond::test;

TEST_CASE_TEMPLATE_DEFINE("factors of an analysis with delayed columns", T, delayed_columns) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric})
        for (const index_t step : {2, 5, 11}) {
            CAPTURE(static_cast<int>(symmetry));
            CAPTURE(step);
            const SparseMatrix<T> a = saddle_point<T>(60, 20, symmetry, 3);
            const AnalysisResult given = analyze(a);
            const AssemblyTree& tree = given.analysis->tree;
            std::vector<DelayedPivot> delays;
            std::set<index_t> rows;  // that go, or may go with their own columns
            for (index_t f = 0; f < tree.front_count(); ++f)
                for (index_t k = 0; k < tree.fronts[f].npiv; ++k) {
                    const index_t column = tree.fronts[f].first_column + k, parent = tree.fronts[f].parent;
                    // L U: with the last row of its front, where no other column has that.
                    const index_t last = tree.fronts[f].first_column + tree.fronts[f].npiv - 1;
                    if (column % step != 0 || parent < 0) continue;
                    const bool goes = symmetry == Symmetry::general && last % step != 0 && rows.insert(last).second;
                    delays.push_back({goes ? last : column, column, parent});
                }
            REQUIRE(!delays.empty());
            const auto delayed = std::make_shared<const Analysis>(delay_pivots(*given.analysis, delays));
            const Factors<T> factors = factorize(shared_session(), delayed, a, {}, &given.scaling);
            CHECK(factors.report().status == FactorStatus::success);
            const auto b = RhsBlock<T>::random(a.rows(), 2, 31);
            RhsBlock<T> x(a.rows(), 2);
            CHECK(solve(factors, b.view(), x.view()).status == SolveStatus::converged);
            CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<T>());
        }
}
TEST_CASE_TEMPLATE_APPLY(delayed_columns, Scalars);

TEST_CASE_TEMPLATE_DEFINE("leaves with zero diagonals do not all become columns of their hub", T, star) {
    // Each of the leaves is coupled to the hubs alone, so that all but as many as there are hubs depend on the others.
    constexpr index_t leaves = 4000;
    for (const index_t hubs : {1, 3}) {
        CAPTURE(hubs);
        SystemBuilder<T> a(hubs + leaves, Symmetry::symmetric);
        for (index_t i = 0; i < leaves; ++i)
            for (index_t h = 0; h < hubs; ++h)
                if (hubs == 1 || (i + h) % 3 != 0) a.set(hubs + i, h, real_scalar<T>(1 + 0.125 * ((i * 5 + h) % 7)));
        for (const Factorization kind : {Factorization::ldlt, Factorization::lu}) {
            AnalysisOptions options;
            options.factorization = kind;
            Solver<T> solver(shared_session(), options);
            const FactorReport& report = solver.factor(a.matrix());
            CHECK(report.status == FactorStatus::singular);
            CHECK(report.pivots.small_columns.size() == static_cast<std::size_t>(leaves - hubs));
            CHECK(report.pivots.delayed <= (leaves / 64 + 10) * hubs);
            // b = A x for random x
            const auto z = RhsBlock<T>::random(hubs + leaves, 1, 31);
            RhsBlock<T> b(hubs + leaves, 1), x(hubs + leaves, 1);
            solver.multiply(Operation::none, z.view(), b.view());
            CHECK(solver.solve(std::as_const(b).view(), x.view()).status == SolveStatus::converged);
            if (is_complex<T> || kind == Factorization::lu) continue;
            REQUIRE(report.pivots.inertia.has_value());
            CHECK(report.pivots.inertia->negative == hubs);
            CHECK(report.pivots.inertia->positive == hubs);
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(star, Scalars);

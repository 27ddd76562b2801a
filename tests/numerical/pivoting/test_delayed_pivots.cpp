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

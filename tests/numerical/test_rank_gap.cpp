// SPDX-License-Identifier: BSD-3-Clause
// Pivots a little above the bound for null ones: null when the matrix is singular anyway and a gap parts
// them from all others, ordinary pivots otherwise.
#include "frond/frond.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "singular_systems.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace frond;
using namespace frond::test;

namespace {

template<class T>
FactorReport report_of(const SparseMatrix<T>& a, double tolerance = 0,
                       ScalingMethod scaling = ScalingMethod::equilibrate) {
    AnalysisOptions options;
    options.factorization = kind_of<T>(a.symmetry);
    options.matching = MatchingMode::off;
    options.scaling = scaling;
    Solver<T> solver(shared_session(), options);
    FactorOptions factor_options;
    factor_options.null_pivot_tolerance = tolerance;
    return solver.factor(a, factor_options);
}

} // namespace

// The bound for null columns is 10 n eps, some 250 eps here.
TEST_CASE_TEMPLATE_DEFINE("a gap in the pivots of a singular matrix tells the rank", T, rank_gap) {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
        if (symmetry == Symmetry::hermitian && !is_complex<T>) continue;
        CAPTURE(static_cast<int>(symmetry));
        const FactorReport both = report_of(with_pivots<T>({0, 8192}, symmetry));
        CHECK(both.status == FactorStatus::singular);
        CHECK(both.small_pivots.size() == 2);
        CHECK(both.repeated_for_rank);
        CHECK(both.null_pivot > 1024 * eps);
        CHECK(both.null_pivot < 1);
        const FactorReport alone = report_of(with_pivots<T>({8192}, symmetry));
        CHECK(alone.status == FactorStatus::success);
        CHECK_FALSE(alone.repeated_for_rank);
        const FactorReport no_gap = report_of(with_pivots<T>({0, 8192, 8e5, 8e7, 8e9}, symmetry));
        CHECK(no_gap.small_pivots.size() == 1);
        CHECK_FALSE(no_gap.repeated_for_rank);
        const FactorReport as_told = report_of(with_pivots<T>({0, 8192}, symmetry), 500 * eps);
        CHECK(as_told.small_pivots.size() == 1);
        CHECK_FALSE(as_told.repeated_for_rank);
        const FactorReport unscaled =
            report_of(with_pivots<T>({0, 8192}, symmetry), 0, ScalingMethod::none);
        CHECK(unscaled.small_pivots.size() == 1);
        CHECK_FALSE(unscaled.repeated_for_rank);
    }
}
TEST_CASE_TEMPLATE_APPLY(rank_gap, Scalars);

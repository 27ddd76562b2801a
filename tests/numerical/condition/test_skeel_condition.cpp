// SPDX-License-Identifier: BSD-3-Clause
// The condition that scaling does not change.
#include "dense_oracle.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"
#include "rhs_block.hpp"
#include "sample_systems.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "singular_systems.hpp"
#include "tolerance.hpp"
#include "unscaled_factors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// || diag(c)^-1 |A^-1| |A| c ||_inf
double skeel(const DenseMatrix& a, const std::vector<long double>& c) {
    DenseMatrix unit(a.rows, a.rows);
    for (index_t i = 0; i < a.rows; ++i) unit(i, i) = 1;
    const DenseMatrix inverse = solve_dense(a, unit);
    std::vector<long double> sum(c.size(), 0);
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t j = 0; j < a.rows; ++j)
            sum[static_cast<std::size_t>(i)] += std::abs(a(i, j)) * c[static_cast<std::size_t>(j)];
    long double largest = 0;
    for (index_t i = 0; i < a.rows; ++i) {
        long double row = 0;
        for (index_t j = 0; j < a.rows; ++j) row += std::abs(inverse(i, j)) * sum[static_cast<std::size_t>(j)];
        largest = std::max(largest, row / c[static_cast<std::size_t>(i)]);
    }
    return static_cast<double>(largest);
}

template <class T>
SolveReport solved(Solver<T>& solver, const SolveOptions& options = {}) {
    const index_t n = solver.analysis()->order;
    RhsBlock<T> b = RhsBlock<T>::random(n, 2, 5), x(n, 2);
    return solver.solve(std::as_const(b).view(), x.view(), options);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("Skeel's condition of the sample systems, against dense inverses", T, samples) {
    for (const SampleSystem<T>& system : sample_systems<T>()) {
        CAPTURE(system.name);
        const ConditionEstimate c = condition_estimate(factored(system.matrix, system.kind).factors());
        const DenseMatrix a = dense(system.matrix);
        std::vector<long double> scale(static_cast<std::size_t>(a.rows), 1);
        for (index_t i = 0; i < a.rows && system.kind == Factorization::llt; ++i)
            scale[static_cast<std::size_t>(i)] = 1 / std::sqrt(std::abs(a(i, i)));
        const double exact = skeel(a, scale);
        const double slack = 1 + exact * rounding_bound<T>(20 * a.rows);
        REQUIRE(slack < 2);
        CHECK(c.skeel_condition <= exact * slack);
        CHECK(c.skeel_condition * 3 * slack >= exact);
        CHECK_FALSE(c.ill_conditioned);
    }
}

TEST_CASE_TEMPLATE_APPLY(samples, Scalars);

TEST_CASE_TEMPLATE_DEFINE("penalties on the diagonal and scaled rows leave it small", T, scaled) {
    constexpr index_t side = 20;
    constexpr float penalty = 1e12F;
    SparseMatrix<T> a = definite_grid<T>(side);
    const Factorization definite = Factorization::llt;
    const double before = condition_estimate(factored(a, definite).factors()).skeel_condition;
    for (index_t j = 0; j < a.cols(); j += 7)
        a.value[static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j)])] = T(penalty);
    for (const Factorization kind : {definite, Factorization::lu})
        for (const ScalingMethod scaling : {ScalingMethod::none, ScalingMethod::equilibrate}) {
            Solver<T> solver = factored(a, kind, scaling);
            const ConditionEstimate c = condition_estimate(solver.factors());
            // ||A||_1 >= penalty, and ||A^-1||_1 >= 1 / a_jj = 1/4, of which an estimate is a third at least.
            CHECK(c.reciprocal_condition <= 3 * 4 / penalty);
            CHECK(c.skeel_condition <= before);
            CHECK_FALSE(c.ill_conditioned);
            CHECK_FALSE(solved(solver).ill_conditioned);
        }
}

TEST_CASE_TEMPLATE_APPLY(scaled, Scalars);

TEST_CASE_TEMPLATE_DEFINE("an unknown or an equation in other units leaves it small", T, other_units) {
    constexpr float unit = 1e16F;
    for (const bool is_column : {false, true})
        for (index_t k = 0; k < 3; ++k) {
            EntryTable<T> table;
            for (index_t i = 0; i < 3; ++i)
                for (index_t j = 0; j < 3; ++j)
                    table[{j, i}] = T(i == j ? 4.F : 0.5F) * T((is_column ? j : i) == k ? unit : 1.F);
            const SparseMatrix<T> a = from_table(3, table, Symmetry::general);
            for (const ScalingMethod scaling : {ScalingMethod::none, ScalingMethod::equilibrate}) {
                Solver<T> solver = factored(a, Factorization::lu, scaling);
                CHECK(condition_estimate(solver.factors()).skeel_condition < 10);
                CHECK_FALSE(solved(solver).ill_conditioned);
            }
        }
}

TEST_CASE_TEMPLATE_APPLY(other_units, Scalars);

TEST_CASE_TEMPLATE_DEFINE("Skeel's condition of singular factors is infinite", T, singular) {
    const ConditionEstimate c =
        condition_estimate(factored(with_pivots<T>({0}, Symmetry::general), Factorization::lu).factors());
    CHECK(std::isinf(c.skeel_condition));
    CHECK(c.ill_conditioned);
}

TEST_CASE_TEMPLATE_APPLY(singular, Scalars);

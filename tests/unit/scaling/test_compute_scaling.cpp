// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "matching_oracle.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

#include <complex>

using namespace frond;
using namespace frond::test;

namespace {

/// What compute_scaling reads of an analysis.
template <class T>
Analysis analysis_of(const SparseMatrix<T>& a, Factorization kind, ScalingMethod method) {
    Analysis analysis;
    analysis.order = a.cols();
    analysis.entries = a.entries();
    analysis.symmetry = a.symmetry;
    analysis.factorization = kind;
    analysis.options.scaling = method;
    return analysis;
}

bool is_power_of_two(double x) {
    int exponent = 0;
    return std::frexp(x, &exponent) == 0.5;
}

/// Largest |r_i a_ij c_j| over stored entries.
template <class T>
double largest_scaled(const SparseMatrix<T>& a, const Scaling& s) {
    double most = 0;
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e)
            most = std::max(most, s.row[a.pattern.row[e]] * std::abs(a.value[e]) * s.column[j]);
    return most;
}

void keep_matching(Analysis& analysis, const SparseMatrix<double>& a) {
    Magnitudes m{a.pattern, a.value};
    for (double& v : m.magnitude) v = std::abs(v);
    analysis.report.matched = true;
    analysis.matching_row_of_column = maximum_product_matching(m.pattern, m.magnitude).row_of_column;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("powers of two, entries at most 2, symmetric kinds alike", T, powers_of_two) {
    for (Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
        const bool general = symmetry == Symmetry::general;
        SparseMatrix<T> a = random_sparse<T>(80, 4, symmetry, false, 5);
        for (count_t e = 0; e < a.entries(); ++e) a.value[e] *= static_cast<real_t<T>>(std::exp2(e % 23 - 11));
        const Factorization kind = general                           ? Factorization::lu
                                   : symmetry == Symmetry::symmetric ? Factorization::ldlt
                                                                     : Factorization::ldlh;
        for (ScalingMethod method : {ScalingMethod::matching, ScalingMethod::equilibrate}) {
            const Scaling s = compute_scaling(a, analysis_of(a, kind, method));
            CHECK(s.method == method);
            REQUIRE(s.row.size() == 80);
            REQUIRE(s.column.size() == 80);
            if (!general) CHECK(s.row == s.column);
            for (double x : s.row) CHECK(is_power_of_two(x));
            for (double x : s.column) CHECK(is_power_of_two(x));
            // Each scale moves by at most sqrt(2) in rounding.
            CHECK(largest_scaled(a, s) <= 2.0 + 1e-6);
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(powers_of_two, Scalars);

TEST_CASE("automatic: matching when matched, none when well scaled, else equilibration") {
    SparseMatrix<double> a = random_grid<double>(12, Symmetry::symmetric, true, 3);
    Analysis analysis = analysis_of(a, Factorization::ldlt, ScalingMethod::automatic);
    const Scaling none = compute_scaling(a, analysis);
    CHECK(none.method == ScalingMethod::none);
    CHECK(none.row.empty());
    CHECK(none.column.empty());
    analysis.report.matched = true;
    CHECK(compute_scaling(a, analysis).method == ScalingMethod::matching);
    analysis.report.matched = false;
    for (count_t e = a.pattern.begin[50]; e < a.pattern.begin[60]; ++e) a.value[e] *= 1e6;
    CHECK(compute_scaling(a, analysis).method == ScalingMethod::equilibrate);
    analysis.options.scaling = ScalingMethod::none;
    CHECK(compute_scaling(a, analysis).method == ScalingMethod::none);
}

TEST_CASE("automatic: a matching whose scales span more than 2^100 gives way to equilibration") {
    for (const double small : {1e-10, 1e-120}) {
        SparseMatrix<double> a;
        a.pattern = {3, 3, {0, 2, 4, 5}, {0, 1, 0, 1, 2}};
        a.value = {1.0, 1.0, small, 2 * small, 1.0};
        Analysis analysis = analysis_of(a, Factorization::lu, ScalingMethod::automatic);
        keep_matching(analysis, a);
        const bool wide = small < 1e-100;
        CHECK(compute_scaling(a, analysis).method == (wide ? ScalingMethod::equilibrate : ScalingMethod::matching));
        analysis.options.scaling = ScalingMethod::matching;
        CHECK(compute_scaling(a, analysis).method == ScalingMethod::matching);
    }
}

TEST_CASE("one triangle scales as both do") {
    const SparseMatrix<double> lower = random_sparse<double>(60, 5, Symmetry::symmetric, false, 9);
    EntryTable<double> table;
    for (index_t j = 0; j < 60; ++j)
        for (count_t e = lower.pattern.begin[j]; e < lower.pattern.begin[j + 1]; ++e) {
            table[{j, lower.pattern.row[e]}] = lower.value[e];
            table[{lower.pattern.row[e], j}] = lower.value[e];
        }
    const SparseMatrix<double> both = from_table(60, table, Symmetry::general);
    for (ScalingMethod method : {ScalingMethod::matching, ScalingMethod::equilibrate}) {
        const Scaling x = compute_scaling(lower, analysis_of(lower, Factorization::lu, method));
        const Scaling y = compute_scaling(both, analysis_of(both, Factorization::lu, method));
        CHECK(x.row == y.row);
        CHECK(x.column == y.column);
    }
}

TEST_CASE("stale: new values under which the kept matching is poor") {
    SparseMatrix<double> a = random_sparse<double>(50, 4, Symmetry::general, true, 21);
    Analysis analysis = analysis_of(a, Factorization::lu, ScalingMethod::automatic);
    keep_matching(analysis, a);
    bool stale = true;
    compute_scaling(a, analysis, &stale);
    CHECK_FALSE(stale);

    SparseMatrix<double> scaled = a;  // another scaling of the same matrix: as good as before
    for (index_t j = 0; j < 50; ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e)
            scaled.value[e] *= std::exp2(j % 7) * std::exp2(-(a.pattern.row[e] % 5));
    compute_scaling(scaled, analysis, &stale);
    CHECK_FALSE(stale);

    SparseMatrix<double> tiny = a;  // one pivot all but gone
    for (count_t e = a.pattern.begin[7]; e < a.pattern.begin[8]; ++e)
        if (a.pattern.row[e] == analysis.matching_row_of_column[7]) tiny.value[e] *= 1e-14;
    compute_scaling(tiny, analysis, &stale);
    CHECK(stale);

    SparseMatrix<double> zero = a;  // one pivot gone
    for (count_t e = a.pattern.begin[7]; e < a.pattern.begin[8]; ++e)
        if (a.pattern.row[e] == analysis.matching_row_of_column[7]) zero.value[e] = 0;
    compute_scaling(zero, analysis, &stale);
    CHECK(stale);

    SparseMatrix<double> weak = a;  // all of them weakened
    for (index_t j = 0; j < 50; ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e)
            if (a.pattern.row[e] == analysis.matching_row_of_column[j]) weak.value[e] *= 1e-3;
    compute_scaling(weak, analysis, &stale);
    CHECK(stale);
}

TEST_CASE("not matched: never stale") {
    const SparseMatrix<double> a = random_sparse<double>(30, 3, Symmetry::general, false, 2);
    bool stale = true;
    compute_scaling(a, analysis_of(a, Factorization::lu, ScalingMethod::matching), &stale);
    CHECK_FALSE(stale);
}

TEST_CASE("empty matrix, and a matrix of another size") {
    SparseMatrix<double> none;
    none.pattern.begin = {0};
    const Scaling s = compute_scaling(none, analysis_of(none, Factorization::lu, ScalingMethod::matching));
    CHECK(s.row.empty());
    const SparseMatrix<double> a = random_sparse<double>(30, 3, Symmetry::general, false, 2);
    const SparseMatrix<double> b = random_sparse<double>(31, 3, Symmetry::general, false, 2);
    const Analysis analysis = analysis_of(a, Factorization::lu, ScalingMethod::matching);
    CHECK_THROWS_AS(compute_scaling(b, analysis), InvalidArgument);
}

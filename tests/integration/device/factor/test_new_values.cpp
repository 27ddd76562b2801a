// SPDX-License-Identifier: BSD-3-Clause
// Factorizations of other values with an analysis whose kernels were recorded for the first ones: another scaling,
// another threshold, the same tables. Without a device the same checks hold on the cores.
#include "error_oracle.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t points = 8;
/// As pivot_threshold; the tight one allows |l_ij| up to its inverse.
constexpr double tight = 0.3, loose = 0.01, most_tight = 1 / tight * (1 + 1e-5);

template <class T>
std::vector<Kind> good_kinds() {
    std::vector<Kind> good;
    for (const Kind& kind : kinds<T>())
        if (kind.diagonal > 6) good.push_back(kind);
    if (is_complex<T>) good.push_back({Factorization::ldlh, Symmetry::hermitian, 6.5});
    return good;
}

/// The same pattern and diagonal, the other entries smaller by factors of their own.
template <class T>
SparseMatrix<T> other_values(const SparseMatrix<T>& a) {
    SparseMatrix<T> other = a;
    Random random(23);
    for (std::size_t j = 0; j + 1 < a.pattern.begin.size(); ++j)
        for (auto k = static_cast<std::size_t>(a.pattern.begin[j]);
             k < static_cast<std::size_t>(a.pattern.begin[j + 1]); ++k)
            if (a.pattern.row[k] != static_cast<index_t>(j))
                other.value[k] *= real_scalar<T>(0.7 + 0.1 * random.below(4));
    return other;
}

/// Rows and columns of the last front times 64, which makes |l_ij| large there and changes no choice of a pivot.
Scaling uneven_scaling(const Analysis& analysis) {
    Scaling scaling;
    scaling.method = ScalingMethod::equilibrate;
    scaling.row.assign(static_cast<std::size_t>(analysis.order), 1.0);
    scaling.column = scaling.row;
    for (index_t p = analysis.tree.fronts.back().first_column; p < analysis.order; ++p) {
        scaling.row[static_cast<std::size_t>(analysis.row_order[static_cast<std::size_t>(p)])] = 64;
        scaling.column[static_cast<std::size_t>(analysis.column_order[static_cast<std::size_t>(p)])] = 64;
    }
    return scaling;
}

/// What is factored, and how.
template <class T>
struct Values {
    const SparseMatrix<T>& matrix;
    const Scaling& scaling;
    double threshold;
};

template <class T>
RhsBlock<T> solution(const Factors<T>& factors, const SparseMatrix<T>& a, SolvePlace place) {
    const auto b = RhsBlock<T>::random(a.rows(), 2, 31);
    RhsBlock<T> x(a.rows(), 2);
    SolveOptions options;
    options.place = place;
    options.max_refinement_steps = 0;
    options.krylov = Krylov::off;
    static_cast<void>(solve(factors, b.view(), x.view(), options));
    CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<T>());
    return x;
}

/// One factorization with what came of it.
template <class T>
struct Run {
    Factors<T> factors;
    RhsBlock<T> x;

    Run(const std::shared_ptr<const Analysis>& analysis, const Values<T>& values)
        : factors(factorize(device_session(), analysis, values.matrix, options(values), &values.scaling)),
          x(solution(factors, values.matrix, SolvePlace::host)) {
        CHECK(factors.report().status == FactorStatus::success);
        CHECK(factors.report().place.on_device == has_device());
        solution(factors, values.matrix, SolvePlace::automatic);
    }

    static FactorOptions options(const Values<T>& values) {
        FactorOptions options;
        options.pivot_threshold = values.threshold;
        options.null_pivot_tolerance = 1e-6;  // in single precision, uneven scaling would make all other pivots null
        return options;
    }
};

/// The same with an analysis that nobody has used.
template <class T>
void check_against_fresh(const Analysis& analysis, const Values<T>& values, const Run<T>& run) {
    const Run<T> fresh(std::make_shared<const Analysis>(analysis), values);
    CHECK(run.factors.report().pivots.largest_l == fresh.factors.report().pivots.largest_l);
    CHECK(run.factors.report().pivots.two_by_two == fresh.factors.report().pivots.two_by_two);
    CHECK(run.x == fresh.x);
}

template <class T>
void check_kind(const Kind& kind, const ForcedMapping& mapping) {
    const SparseMatrix<T> a = grid<T>(points, kind), other = other_values(a);
    AnalysisOptions options;
    options.factorization = kind.factorization;
    options.deterministic = true;
    const AnalysisResult analysed = analyze(a, options);
    const auto analysis = remapped(*analysed.analysis, mapping);
    const Scaling uneven = uneven_scaling(*analysis), none;
    const bool has_threshold = kind.factorization != Factorization::llt;
    const Values<T> as_given{a, analysed.scaling, has_threshold ? tight : loose}, as_scaled{other, uneven, loose},
        as_they_are{other, none, loose};
    // A session keeps what it recorded for its last analysis: others come after all these.
    const Run<T> first(analysis, as_given), second(analysis, as_scaled), third(analysis, as_they_are),
        last(analysis, as_given);
    CHECK(last.x == first.x);
    CHECK(!(second.x == first.x));
    CHECK(solution(first.factors, a, SolvePlace::host) == first.x);  // in memory of their own
    if (has_threshold) {
        CHECK(first.factors.report().pivots.largest_l <= most_tight);
        CHECK(second.factors.report().pivots.largest_l > most_tight);
        // A pivot that fails leaves the tree to others.
        const Factors<T> bounded =
            factorize(device_session(), analysis, other, Run<T>::options({other, uneven, tight}), &uneven);
        CHECK(bounded.report().status == FactorStatus::success);
        CHECK(bounded.report().pivots.largest_l <= most_tight);
    }
    check_against_fresh(*analysis, as_given, first);
    check_against_fresh(*analysis, as_scaled, second);
    check_against_fresh(*analysis, as_they_are, third);
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

template <class T>
static void check_recorded_new_values() {
    for (const Kind& kind : good_kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        for (const ForcedMapping& mapping : {ForcedMapping{"one subtree", 16, points * points * points},
                                             ForcedMapping{"subtrees and tiles", 40, 60}}) {
            CAPTURE(std::string(mapping.name));
            check_kind<T>(kind, mapping);
        }
    }
}
FROND_LONG_DEVICE_CASES("other values with kernels that are recorded", check_recorded_new_values, Scalars);

TEST_SUITE_END();

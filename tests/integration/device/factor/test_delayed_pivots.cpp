// SPDX-License-Identifier: BSD-3-Clause
// Whole trees on the device whose pivots fail where they were planned: columns are delayed there as they are on cores.
#include "error_oracle.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "watched_tasks.hpp"
#include "planted_trouble.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

struct IndefiniteKind {
    Factorization factorization;
    Symmetry symmetry;
};

template <class T>
std::vector<IndefiniteKind> indefinite_kinds() {
    std::vector<IndefiniteKind> all{{Factorization::lu, Symmetry::general}, {Factorization::ldlt, Symmetry::symmetric}};
    if (is_complex<T>) all.push_back({Factorization::ldlh, Symmetry::hermitian});
    return all;
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

TEST_CASE_TEMPLATE_DEFINE("columns whose partner is at the root go there", T, planted) {
    for (const IndefiniteKind& kind : indefinite_kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        const SparseMatrix<T> a = troubled_tips<T>(size_here(120, 60), 15, kind.symmetry, 4), twice = doubled(a);
        const AnalysisResult given = as_planted(a, kind.factorization);
        REQUIRE(given.analysis->tree.front_count() > size_here(50, 25));
        const Factors<T> factors = factorize(device_session(), given.analysis, a, {}, &given.scaling);
        CHECK(factors.report().status == FactorStatus::success);
        CHECK(factors.report().place.on_device == has_device());
        CHECK(factors.report().pivots.delayed > 0);
        CHECK(factors.report().pivots.largest_l <= 100 * (1 + 10 * epsilon<T>()));
        const RhsBlock<T> x = checked_solution(factors, a);
        // The next one begins with what the first one found.
        const Factors<T> next = factorize(device_session(), given.analysis, twice, {}, &given.scaling);
        CHECK(next.report().place.on_device == has_device());
        CHECK(next.report().pivots.delayed == factors.report().pivots.delayed);
        const RhsBlock<T> halved = checked_solution(next, twice);
        for (index_t i = 0; i < a.rows(); ++i) REQUIRE(halved(i, 0) + halved(i, 0) == x(i, 0));
        if (factors.report().pivots.inertia) {
            FactorOptions options;
            options.place = FactorPlace::tasks;
            const Factors<T> by_tasks = factorize(device_session(), given.analysis, a, options, &given.scaling);
            CHECK(factors.report().pivots.inertia->negative == by_tasks.report().pivots.inertia->negative);
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(planted, Scalars);

TEST_CASE_TEMPLATE_DEFINE("hard matrices of one front and of many", T, hard) {
    // On a device that the host plays, too, the front has three steps of 32 pivots.
    for (const IndefiniteKind& kind : indefinite_kinds<T>())
        for (const double zeros : {0.0, 1e-6}) {
            CAPTURE(static_cast<int>(kind.factorization));
            CAPTURE(zeros);
            for (const SparseMatrix<T>& a : {saddle_point<T>(size_here(150, 60), size_here(40, 16), kind.symmetry, 3),
                                             constant_diagonal<T>(size_here(200, 80), 3, 0, kind.symmetry, 5)}) {
                AnalysisOptions options;
                options.factorization = kind.factorization;
                options.amalgamation_zeros = zeros;
                options.deterministic = true;
                const AnalysisResult given = analyze(a, options);
                const Factors<T> factors = factorize(device_session(), given.analysis, a, {}, &given.scaling);
                CHECK(factors.report().place.on_device == has_device());
                CHECK(factors.report().status == FactorStatus::success);
                const auto b = RhsBlock<T>::random(a.rows(), 1, 31);
                RhsBlock<T> x(a.rows(), 1);
                CHECK(solve(factors, b.view(), x.view()).status == SolveStatus::converged);
                CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<T>());
            }
        }
}
TEST_CASE_TEMPLATE_APPLY(hard, Scalars);

// L U of one front, whose first columns are tiny in as many rows: more pivots fail in the diagonal blocks than columns are
// delayed for, and good ones are behind. So large that two blocks of threads search.
TEST_CASE_TEMPLATE_DEFINE("each kernel of a search in the front once", T, far_pivots) {
    constexpr index_t n = 300, tiny = 80;
    Random random(9);
    SystemBuilder<T> builder(n, Symmetry::general);
    for (index_t j = 0; j < n; ++j)
        for (index_t i = 0; i < n; ++i)
            builder.set(i, j, random.value<T>() * real_scalar<T>(i < tiny && j < tiny ? 1e-5 : 1));
    const SparseMatrix<T> a = builder.matrix();
    const AnalysisResult given = as_planted(a, Factorization::lu);
    REQUIRE(given.analysis->tree.front_count() == 1);
    for (const ForcedMapping& mapping : {ForcedMapping{"one subtree", 16, n}, ForcedMapping{"one tile", n, 0}}) {
        CAPTURE(std::string(mapping.name));
        const Factors<T> factors =
            factorize(device_session(), remapped(*given.analysis, mapping), a, {}, &given.scaling);
        INFO(factors.report().place.reason);
        CHECK(factors.report().place.on_device == has_device());
        CHECK(factors.report().status == FactorStatus::success);
        CHECK(factors.report().pivots.largest_l <= 100 * (1 + 10 * epsilon<T>()));
        if (has_device()) CHECK(factors.report().pivots.delayed == 0);
        static_cast<void>(checked_solution(factors, a));
    }
}
TEST_CASE_TEMPLATE_APPLY(far_pivots, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a column that no pivot can be found for leaves the tree to tasks", T, singular) {
    for (const IndefiniteKind& kind : indefinite_kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        constexpr index_t n = 90;
        SystemBuilder<T> builder(n, kind.symmetry);
        for (index_t j = 0; j < n; ++j) {
            builder.set(j, j, real_scalar<T>(j == 7 ? 0 : 4));
            if (j != 7 && j != 6 && j + 1 < n) builder.couple(j + 1, j, real_scalar<T>(1));
        }
        const SparseMatrix<T> a = builder.matrix();
        const AnalysisResult given = as_planted(a, kind.factorization);
        for (int times = 0; times < 3; ++times) {  // the second is not tried there
            const WatchedTasks watched("factor_piece");
            const Factors<T> factors = factorize(device_session(), given.analysis, a, {}, &given.scaling);
            CHECK(factors.report().status == FactorStatus::singular);
            CHECK(factors.report().pivots.small_columns == std::vector<index_t>{7});
            CHECK(!factors.report().place.on_device);
            CHECK((watched.submitted() > 0) == (times != 1));
            if (has_device()) CHECK(factors.report().place.reason.find("pivot") != std::string::npos);
            CHECK(factors.analysis().column_order == given.analysis->column_order);
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(singular, Scalars);

TEST_SUITE_END();

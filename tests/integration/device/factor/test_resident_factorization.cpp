// SPDX-License-Identifier: BSD-3-Clause
// Factorization of the whole tree on the device at once, against the same by tasks. Without a device the
// refusals are checked.
#include "error_oracle.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
double error_of(const Factors<T>& factors, const SparseMatrix<T>& a, SolvePlace place) {
    const index_t n = factors.analysis().order;
    const auto b = RhsBlock<T>::random(n, 2, 31);
    RhsBlock<T> x(n, 2);
    SolveOptions options;
    options.place = place;
    options.max_refinement_steps = 0;
    options.krylov = Krylov::off;
    static_cast<void>(solve(factors, b.view(), x.view(), options));
    return componentwise_error(dense(a), widened(x), widened(b));
}

}  // namespace

template <class T>
static void check_whole_trees() {
    constexpr index_t k = 8, n = k * k * k;
    for (const Kind& kind : kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        CAPTURE(kind.diagonal);
        const SparseMatrix<T> a = grid<T>(k, kind);
        for (const ForcedMapping& mapping :
             {ForcedMapping{"one subtree", 16, n}, ForcedMapping{"subtrees and tiles", 40, 60},
              ForcedMapping{"tiles", 64, 0}, ForcedMapping{"one tile a front", 300, 0}}) {
            CAPTURE(std::string(mapping.name));
            const Factors<T> by_tasks = factored(a, kind.factorization, mapping);
            const Factors<T> whole = factored(a, kind.factorization, mapping, FactorPlace::automatic);
            CHECK(!by_tasks.report().place.on_device);
            // Elsewhere some pivot may not be plainly good, which leaves the tree to tasks.
            if (kind.diagonal > 6) CHECK(whole.report().place.on_device == has_device());
            CHECK(whole.report().status == by_tasks.report().status);
            CHECK(whole.report().pivots.inertia.has_value() == by_tasks.report().pivots.inertia.has_value());
            if (whole.report().pivots.inertia && by_tasks.report().pivots.inertia) {
                CHECK(whole.report().pivots.inertia->negative == by_tasks.report().pivots.inertia->negative);
                CHECK(whole.report().pivots.inertia->zero == by_tasks.report().pivots.inertia->zero);
            }
            // Columns delayed on the device make other fronts.
            const bool same_tree = whole.analysis().column_order == by_tasks.analysis().column_order &&
                                   whole.analysis().row_order == by_tasks.analysis().row_order;
            if (kind.diagonal > 6) CHECK(same_tree);
            if (same_tree) CHECK(whole.report().memory.factor_entries == by_tasks.report().memory.factor_entries);
            CHECK(whole.report().pivots.smallest > 0);
            CHECK(whole.report().pivots.largest >= whole.report().pivots.smallest);
            if (kind.factorization == Factorization::llt) {
                // Eigenvalues are within 6.5 - 6 and 6.5 + 6, sums have at most n terms.
                const double rounding = 12.5 / 0.5 * rounding_bound<T>(n);
                CHECK(whole.report().pivots.smallest ==
                      doctest::Approx(by_tasks.report().pivots.smallest).epsilon(rounding));
                CHECK(whole.report().pivots.largest ==
                      doctest::Approx(by_tasks.report().pivots.largest).epsilon(rounding));
            }
            const double bound = (kind.diagonal > 6 ? 1 : 100) * 450 * epsilon<T>();
            CHECK(error_of(whole, a, SolvePlace::host) <= bound);
            CHECK(error_of(whole, a, SolvePlace::automatic) <= bound);
        }
    }
}
FROND_LONG_DEVICE_CASES("whole trees on the device", check_whole_trees, Scalars);

TEST_CASE("blocks of columns, and fronts that end inside one" * doctest::test_suite(needs_device)) {
    // Grids whose root fronts have more than block_columns, and whose determinants tell of every pivot.
    for (const index_t k : {6, 13}) {
        const Kind kind{Factorization::lu, Symmetry::general, 6.5};
        const SparseMatrix<double> a = grid<double>(k, kind);
        const ForcedMapping mapping{"subtrees and tiles", 100, 200};
        const Factors<double> by_tasks = factored(a, kind.factorization, mapping);
        const Factors<double> whole = factored(a, kind.factorization, mapping, FactorPlace::automatic);
        CHECK(whole.report().place.on_device == has_device());
        // The determinant's logarithm is about n, and each pivot is right to some 4 n eps.
        CHECK(is_near(whole.log_determinant()->log_abs, by_tasks.log_determinant()->log_abs,
                      rounding_bound<double>(4 * a.rows())));
        CHECK(whole.log_determinant()->phase == by_tasks.log_determinant()->phase);
        CHECK(error_of(whole, a, SolvePlace::host) <= 450 * epsilon<double>());
    }
}

TEST_CASE("factors from one workspace, one after the other and side by side" * doctest::test_suite(needs_device)) {
    const Kind kind{Factorization::llt, Symmetry::symmetric, 6.5};
    const SparseMatrix<double> a = grid<double>(7, kind);
    AnalysisOptions options;
    options.factorization = kind.factorization;
    options.deterministic = true;
    const AnalysisResult analysed = analyze(a, options);
    const Factors<double> first = factorize(device_session(), analysed.analysis, a, {}, &analysed.scaling);
    const Factors<double> second = factorize(device_session(), analysed.analysis, a, {}, &analysed.scaling);
    CHECK(second.report().place.on_device == has_device());
    const auto b = RhsBlock<double>::random(343, 1, 8);
    RhsBlock<double> x(343, 1), again(343, 1);
    static_cast<void>(solve(first, b.view(), x.view()));
    static_cast<void>(solve(second, b.view(), again.view()));
    for (index_t i = 0; i < 343; ++i) REQUIRE(x(i, 0) == again(i, 0));
}

namespace {

/// L L^T with factor_place = device; empty: it was done.
std::string refusal_of_device(double diagonal) {
    const Kind kind{Factorization::llt, Symmetry::symmetric, diagonal};
    try {
        factored(grid<double>(6, kind), kind.factorization, {"", 40, 60}, FactorPlace::device);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("factor_place = device says why it cannot be" * doctest::test_suite(needs_device)) {
    CHECK(refusal_of_device(6.5).empty());
    CHECK(refusal_of_device(0.25).find("pivot") != std::string::npos);
}

TEST_CASE("factor_place = device without a device" * doctest::test_suite(needs_no_device)) {
    CHECK(refusal_of_device(6.5).find("no device") != std::string::npos);
}

// SPDX-License-Identifier: BSD-3-Clause
// Trees that several devices share, against the same on one: their bits. With one device, it takes the part of
// several; without, nothing is shared.
#include "forced_sharing.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "planted_trouble.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
void check_bits(const SparseMatrix<T>& a, const Kind& kind, const ForcedMapping& mapping, int devices) {
    const FactorPlace place = FactorPlace::automatic;
    const Factors<T> alone = factored(a, kind.factorization, mapping, place);
    const ForcedSharing sharing(devices);
    const Factors<T> shared = factored(a, kind.factorization, mapping, place);
    // Elsewhere some pivot may not be plainly good, which leaves the tree to tasks.
    if (kind.diagonal > 6) CHECK(alone.report().place.on_device == has_device());
    CHECK(shared.report().place.on_device == alone.report().place.on_device);
    CHECK(shared.report().status == alone.report().status);
    if (shared.report().place.on_device) CHECK(shared.report().place.devices_used > 1);
    CHECK(shared.report().pivots.largest_l == alone.report().pivots.largest_l);
    CHECK(shared.report().pivots.two_by_two == alone.report().pivots.two_by_two);
    if (alone.report().pivots.inertia)
        CHECK(shared.report().pivots.inertia.value().negative == alone.report().pivots.inertia->negative);
    const RhsBlock<T> expected = unrefined(alone), x = unrefined(shared);
    for (index_t i = 0; i < a.rows(); ++i) REQUIRE(x(i, 0) == expected(i, 0));
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

template <class T>
static void check_small_shared_trees() {
    for (const Kind& kind : kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        CAPTURE(kind.diagonal);
        for (const int devices : {2, 3}) check_bits(grid<T>(7, kind), kind, {"subtrees and tiles", 40, 60}, devices);
    }
}
FROND_LONG_DEVICE_CASES("small trees that devices share", check_small_shared_trees, Scalars);

template <class T>
static void check_shared_trees() {
    for (const Kind& kind : kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        CAPTURE(kind.diagonal);
        for (const ForcedMapping& mapping : {ForcedMapping{"one subtree", 16, 1331}, ForcedMapping{"tiles", 64, 0}})
            check_bits(grid<T>(11, kind), kind, mapping, 4);
    }
}
FROND_LONG_DEVICE_CASES("trees that devices share", check_shared_trees, Scalars);

TEST_CASE("factors of a shared tree, one after the other") {
    const ForcedSharing sharing(2);
    const Kind kind{Factorization::lu, Symmetry::general, 6.5};
    const SparseMatrix<double> a = grid<double>(9, kind);
    AnalysisOptions options;
    options.factorization = kind.factorization;
    options.deterministic = true;
    const AnalysisResult analysed = analyze(a, options);
    const auto again = [&] { return factorize(device_session(), analysed.analysis, a, {}, &analysed.scaling); };
    const Factors<double> first = again();
    const RhsBlock<double> x = unrefined(first);
    for (int k = 0; k < 3; ++k) {
        const Factors<double> next = again();
        CHECK(next.report().place.on_device == has_device());
        CHECK((next.report().place.devices_used > 1) == has_device());
        const RhsBlock<double> y = unrefined(next);
        for (index_t i = 0; i < a.rows(); ++i) REQUIRE(x(i, 0) == y(i, 0));
    }
}

TEST_SUITE_END();

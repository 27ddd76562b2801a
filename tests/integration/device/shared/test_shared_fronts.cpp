// SPDX-License-Identifier: BSD-3-Clause
// Fronts that all devices do together, by blocks of columns: the same pivots as on one device, errors as small, and the
// same bits again. With one device, it takes the part of several.
#include "forced_sharing.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "planted_trouble.hpp"
#include "watched_tasks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
void check_shared(const SparseMatrix<T>& a, const Kind& kind, const ForcedMapping& mapping, int devices) {
    const FactorPlace place = FactorPlace::automatic;
    const Factors<T> alone = factored(a, kind.factorization, mapping, place);
    const ForcedSharingOfFronts sharing(devices);
    const auto counted = [&](const char* task, count_t& submitted) {
        const WatchedTasks watched(task);
        Factors<T> factors = factored(a, kind.factorization, mapping, place);
        submitted = watched.submitted();
        return factors;
    };
    count_t fronts = 0, blocks = 0;
    const Factors<T> shared = counted("store_columns", fronts), again = counted("eliminate_columns", blocks);
    if (shared.report().place.on_device && kind.diagonal > 0) {
        CHECK(fronts >= 2);  // so that one takes what another leaves in its columns
        CHECK(blocks > fronts);
    }
    if (kind.diagonal > 6) CHECK(shared.report().place.on_device == has_device());
    CHECK(shared.report().status == alone.report().status);
    if (shared.report().place.on_device) CHECK(shared.report().place.devices_used > 1);
    if (alone.report().pivots.inertia) {
        CHECK(shared.report().pivots.inertia.value().negative == alone.report().pivots.inertia->negative);
        CHECK(shared.report().pivots.inertia.value().zero == alone.report().pivots.inertia->zero);
    }
    if (shared.report().place.on_device && alone.report().place.on_device)
        CHECK(shared.report().pivots.delayed == alone.report().pivots.delayed);
    // Sums have other orders; their rounding grows by |l_ij| as in every elimination.
    const double scale = std::max(1.0, alone.report().pivots.largest_l);
    const double tolerance = 1e4 * scale * scale * std::numeric_limits<real_t<T>>::epsilon();  // found by trial
    const RhsBlock<T> expected = unrefined(alone), x = unrefined(shared), y = unrefined(again);
    double largest = 0, difference = 0;
    for (index_t i = 0; i < a.rows(); ++i) {
        REQUIRE(x(i, 0) == y(i, 0));
        largest = std::max<double>(largest, std::abs(expected(i, 0)));
        difference = std::max<double>(difference, std::abs(x(i, 0) - expected(i, 0)));
    }
    CHECK(difference <= tolerance * largest);
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

template <class T>
static void check_fronts_together() {
    for (const Kind& kind : kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        CAPTURE(kind.diagonal);
        for (const int devices : wants_small() ? std::vector{2} : std::vector{2, 3})
            check_shared(grid<T>(7, kind), kind, {"subtrees and tiles", 16, 60}, devices);
    }
}
FROND_LONG_DEVICE_CASES("each kernel of fronts that devices do together", check_fronts_together, Scalars);

TEST_CASE("cancellation before each step of fronts that devices do together") {
    const Kind kind{Factorization::ldlt, Symmetry::symmetric, 6.5};
    const SparseMatrix<double> a = grid<double>(6, kind);
    const ForcedSharingOfFronts sharing(2);
    for (const char* step : {"gather_columns", "eliminate_columns", "update_columns", "store_columns", "fetch_pivots"})
        for (const count_t number : {0, 1}) {
            CAPTURE(step);
            CAPTURE(number);
            std::atomic<bool> cancel{false};
            {
                const WatchedTasks watched(step, [&](count_t task) {
                    if (task == number) cancel = true;
                });
                FactorOptions options;
                options.cancel = &cancel;
                CHECK_THROWS_AS(factored(a, kind.factorization, {"tiles", 16, 60}, FactorPlace::automatic, options),
                                Cancelled);
            }
            CHECK(factored(a, kind.factorization, {"tiles", 16, 60}, FactorPlace::automatic).report().place.on_device);
        }
}

TEST_SUITE_END();

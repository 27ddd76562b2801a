// SPDX-License-Identifier: BSD-3-Clause
#include "failing_allocations.hpp"
#include "matching_oracle.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

TEST_CASE("any allocation may fail: std::bad_alloc, nothing leaked, the next call works") {
    // Singular and hard enough for every stage: searches give up, bids, steps, buried blocks.
    const Magnitudes a = sparse_magnitudes(120, 3, 6, true, 5);
    const FaultReport matching =
        fail_every_allocation([&] { symmetric_maximum_product_matching(a.pattern, a.magnitude); });
    CHECK(matching.failures > 20);
    CHECK(matching.leaked == 0);

    const Matching m = symmetric_maximum_product_matching(a.pattern, a.magnitude);
    const FaultReport pairs = fail_every_allocation([&] { symmetric_pairs(a.pattern, a.magnitude, m); });
    CHECK(pairs.failures > 3);
    CHECK(pairs.leaked == 0);

    const FaultReport equilibration = fail_every_allocation([&] { equilibrate(a.pattern, a.magnitude, false); });
    CHECK(equilibration.failures > 3);
    CHECK(equilibration.leaked == 0);
    CHECK(check_duals(a, m).valid);
}

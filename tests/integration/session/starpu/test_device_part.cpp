// SPDX-License-Identifier: BSD-3-Clause
// Which devices of a node are a rank's.
#include "session/starpu/device_part.hpp"

#include <doctest/doctest.h>

using frond::index_t;
using frond::detail::DevicePart;

TEST_CASE("ranks of a node that see the same devices have each of them once") {
    CHECK(DevicePart{}.devices(4) == std::vector<int>{0, 1, 2, 3});
    CHECK(DevicePart{1, 2}.devices(8) == std::vector<int>{4, 5, 6, 7});
    CHECK(DevicePart{0, 2}.devices(1) == std::vector<int>{0});
    CHECK(DevicePart{1, 2}.devices(1).empty());
    for (index_t seen = 0; seen < 9; ++seen)
        for (index_t of = 1; of < 6; ++of) {
            std::vector<int> all;
            for (index_t number = 0; number < of; ++number) {
                const std::vector<int> own = DevicePart{number, of}.devices(seen);
                CHECK(static_cast<index_t>(own.size()) <= (seen + of - 1) / of);
                CHECK((seen < of || !own.empty()));
                all.insert(all.end(), own.begin(), own.end());
            }
            REQUIRE(all.size() == static_cast<std::size_t>(seen));
            for (index_t d = 0; d < seen; ++d) CHECK(all[static_cast<std::size_t>(d)] == d);
        }
}

// SPDX-License-Identifier: BSD-3-Clause
#include "system/rows/positions.hpp"

#include <doctest/doctest.h>

using namespace frond;
using detail::Positions;

TEST_CASE("positions take four bytes where all of them fit") {
    constexpr count_t last = std::numeric_limits<index_t>::max();
    const std::vector<count_t> narrow{0, ~count_t{0}, last, ~last}, wide{0, last + 1};
    const Positions small(narrow), large(wide);
    REQUIRE(small.size() == narrow.size());
    for (std::size_t k = 0; k < narrow.size(); ++k) CHECK(small[k] == narrow[k]);
    CHECK(small.bytes() == 4 * 4);
    REQUIRE(large.size() == 2);
    CHECK(large[1] == last + 1);
    CHECK(large.bytes() == 2 * 8);
    CHECK(Positions().size() == 0);
}

// SPDX-License-Identifier: BSD-3-Clause
// How long pivots that failed on a device are mended before that is given up.
#include "submit/whole_tree/delay_rounds.hpp"

#include <doctest/doctest.h>

#include <vector>

using frond::detail::DelayRounds;

namespace {

/// How many of these rounds are followed by another one.
std::size_t rounds_that_go_on(const std::vector<int>& failed) {
    DelayRounds rounds;
    std::size_t go_on = 0;
    while (go_on < failed.size() && rounds.go_on(failed[go_on])) ++go_on;
    return go_on;
}

}  // namespace

TEST_CASE("from ten rounds on they end where the fewest failures are four rounds back") {
    CHECK(rounds_that_go_on({544, 446, 95, 119, 28, 17, 20, 31, 10, 6, 1}) == 11);
    CHECK(rounds_that_go_on({10, 20, 15, 12, 11, 3, 1}) == 7);
    CHECK(rounds_that_go_on({50, 40, 60, 41, 39, 50, 50, 50, 39, 39, 50, 1}) == 10);
    CHECK(rounds_that_go_on({50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 40, 40, 40, 40, 1}) == 14);
}

TEST_CASE("no more than twenty rounds") {
    std::vector<int> failed;
    for (int k = 40; k > 0; --k) failed.push_back(k);
    CHECK(rounds_that_go_on(failed) == 20);
}

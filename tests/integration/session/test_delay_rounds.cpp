// SPDX-License-Identifier: BSD-3-Clause
// When delayed columns, a wider search or giving up follow on pivots that failed on a device.
#include "submit/whole_tree/delay_rounds.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using frond::detail::DelayRounds;

namespace {

/// d, s or g for each round, until pivots are good or it is given up; after `refused` rounds the delay is refused.
std::string rounds_of(const std::vector<int>& failed, bool may_search, std::size_t refused = 100) {
    DelayRounds rounds;
    std::string all;
    for (const int count : failed) {
        const bool searches = all.find('s') != std::string::npos;
        const DelayRounds::Next next = rounds.after(count, may_search && !searches);
        all += next == DelayRounds::Next::delay ? 'd' : next == DelayRounds::Next::search_wider ? 's' : 'g';
        if (may_search && !searches && all.size() > refused) all.back() = 's';
        if (all.back() == 's') rounds.begin_search();
        if (all.back() == 'g') break;
    }
    return all;
}

}  // namespace

TEST_CASE("delays go on while they help much, then pivots are searched for more widely") {
    CHECK(rounds_of({38, 8, 2}, true) == "ddd");
    CHECK(rounds_of({38, 25, 16, 10, 7, 3}, true) == "ddddsd");
    CHECK(rounds_of({544, 446, 95, 119, 28, 17, 20, 31, 10, 6, 1}, true) == "dsddddddddd");
}

TEST_CASE("from ten rounds on they end where the fewest failures are four rounds back") {
    CHECK(rounds_of({10, 20, 15, 12, 11, 3, 1}, false) == "ddddddd");
    CHECK(rounds_of({50, 40, 60, 41, 39, 50, 50, 50, 39, 39, 50, 1}, false) == "ddddddddddg");
    CHECK(rounds_of({50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 40, 40, 40, 40, 1}, false) == "ddddddddddddddg");
}

TEST_CASE("what failed before the search does not count") {
    CHECK(rounds_of({1, 2, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30}, true) == "dsddddddddddd");
    CHECK(rounds_of({0, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30}, true, 0) ==
          "sddddddddddd");  // no numbers at first
}

TEST_CASE("no more than twenty rounds") {
    std::vector<int> failed;
    for (int k = 40; k > 0; --k) failed.push_back(k);
    CHECK(rounds_of(failed, false) == std::string(20, 'd') + "g");
    CHECK(rounds_of(failed, true) == "ds" + std::string(18, 'd') + "g");
}

// SPDX-License-Identifier: BSD-3-Clause
// When delayed columns, a wider search or giving up follow on pivots that failed on a device.
#include "submit/delay_rounds.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using frond::detail::DelayRounds;

namespace {

/// d, s or g for each round, until pivots are good or it is given up.
std::string rounds_of(const std::vector<int>& failed, bool may_search) {
    DelayRounds rounds;
    std::string all;
    for (const int count : failed) {
        const DelayRounds::Next next = rounds.after(count, may_search && all.find('s') == std::string::npos);
        all += next == DelayRounds::Next::delay ? 'd' : next == DelayRounds::Next::search_wider ? 's' : 'g';
        if (all.back() == 'g') break;
    }
    return all;
}

} // namespace

TEST_CASE("delays go on while they halve what fails, then pivots are searched for more widely") {
    CHECK(rounds_of({38, 8, 2}, true) == "ddd");
    CHECK(rounds_of({38, 19, 9, 5, 4}, true) == "dddsd");
    CHECK(rounds_of({544, 446, 95, 119, 28, 17, 20, 31, 10, 6, 1}, true) == "dsddddddddd");
}

TEST_CASE("rounds end where the fewest failures are four rounds back") {
    CHECK(rounds_of({50, 40, 60, 41, 39, 50, 50, 50, 39, 1}, false) == "ddddddddg");
    CHECK(rounds_of({10, 10, 10, 10, 10, 10}, false) == "ddddg");
    CHECK(rounds_of({10, 10, 10, 10, 10, 10, 10}, true) == "dsddddg"); // what failed before the search does not count
}

TEST_CASE("no more than twenty rounds") {
    std::vector<int> failed;
    for (int k = 40; k > 0; --k) failed.push_back(k);
    CHECK(rounds_of(failed, false) == std::string(20, 'd') + "g");
    CHECK(rounds_of(failed, true) == "ds" + std::string(18, 'd') + "g");
}

// SPDX-License-Identifier: BSD-3-Clause
#include "tune/comparison.hpp"

#include "frond/base/error.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace frond;
using namespace frond::cli;

namespace {

Comparison with(std::vector<double> ratios, index_t rounds = least_rounds) {
    Rounds base, other;
    for (index_t r = 0; r < rounds; ++r) {
        base.emplace_back(ratios.size(), 2.0);
        other.emplace_back();
        for (const double ratio : ratios) other.back().push_back(2 * ratio);
    }
    return compare(base, other);
}

const std::vector<std::string> names{"first", "second"};
const Comparison quiet = with({1.001, 0.99});

}  // namespace

TEST_CASE("ratios are medians over rounds, so that one disturbed round does not count") {
    const Rounds base{{1, 4}, {1, 4}, {10, 40}}, other{{0.5, 8}, {0.5, 8}, {10, 4}};
    const Comparison comparison = compare(base, other);
    CHECK(comparison.ratios == std::vector<double>{0.5, 2});
    CHECK(comparison.mean_ratio == doctest::Approx(1));
    CHECK(comparison.largest_ratio == 2);
    CHECK(comparison.rounds == 3);
}

TEST_CASE("of an even number of rounds the geometric middle counts, and so no direction is preferred") {
    const Comparison there = compare({{1}, {1}}, {{2}, {0.5}});
    CHECK(there.ratios.front() == doctest::Approx(1));
}

TEST_CASE("a round that only one has does not count") { CHECK(compare({{1}, {1}, {1}}, {{2}, {2}}).rounds == 2); }

TEST_CASE("nothing to compare, and times that are none, are refused") {
    CHECK_THROWS_AS(compare({}, {}), InvalidArgument);
    CHECK_THROWS_AS(compare({{1.0}}, {}), InvalidArgument);
    CHECK_THROWS_AS(compare({{0.0}}, {{1.0}}), InvalidArgument);
    CHECK_THROWS_AS(compare({{1.0}}, {{std::nan("")}}), InvalidArgument);
}

TEST_CASE("the quickest of several is taken, if it gains more than noise and no problem loses much") {
    CHECK_FALSE(quickest({}));
    CHECK_FALSE(quickest({with({0.995, 0.995})}));
    CHECK_FALSE(quickest({with({0.5, 1.04})}));
    CHECK(quickest({with({0.97, 0.97}), with({0.9, 1.02}), with({1.5, 1.5})}) == std::size_t{1});
}

TEST_CASE("a decision is kept when it is verified") {
    CHECK(why_not_kept(with({0.9, 1.02}), quiet, names).empty());
    CHECK(why_not_kept(with({0.98, 0.98}), quiet, names).empty());
}

TEST_CASE("the defaults stay: no gain in the mean, a problem that loses, too few rounds") {
    CHECK(why_not_kept(with({1.0, 1.0}), quiet, names).find("1.000 of the time with the defaults in the mean") == 0);
    CHECK(why_not_kept(with({0.995, 0.995}), quiet, names).find("may be noise") != std::string::npos);
    CHECK(why_not_kept(with({0.5, 1.04}), quiet, names).find("second takes 1.040 of the time") == 0);
    CHECK(why_not_kept(with({0.5, 0.5}, least_rounds - 1), quiet, names).find("4 rounds of runs in turns, of 5") == 0);
}

TEST_CASE("the defaults stay where they differ from themselves: such a machine says nothing") {
    CHECK(why_not_kept(with({0.5, 0.5}), with({1.0, 1.04}), names).find("times are noise here") == 0);
    CHECK(why_not_kept(with({0.5, 0.5}), with({0.96, 1.0}), names).find("by a factor of 1.042") != std::string::npos);
    CHECK(why_not_kept(with({0.5, 0.5}), with({1.03, 0.98}), names).empty());
}

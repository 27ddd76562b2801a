// SPDX-License-Identifier: BSD-3-Clause
#include "../../../analysis/scaling/matching/dual_matching.hpp"
#include "random_sparse.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace frond;
using namespace frond::test;

TEST_CASE("powers of two have exact logarithms, subnormal ones included") {
    std::vector<double> powers;
    for (int k = -1074; k < 1024; ++k) powers.push_back(std::ldexp(1.0, k));
    const std::vector<double> cost = negated_log2(powers);
    int exact = 0;
    for (int k = -1074; k < 1024; ++k) exact += cost[k + 1074] == -k;
    CHECK(exact == 2098);
}

TEST_CASE("a zero costs infinity wherever it stands") {
    std::vector<double> magnitude(1500, 3.0);
    for (std::size_t e : {0, 1, 511, 512, 1499}) magnitude[e] = 0;
    const std::vector<double> cost = negated_log2(magnitude);
    int infinite = 0;
    for (double c : cost) infinite += c == std::numeric_limits<double>::infinity();
    CHECK(infinite == 5);
    CHECK(negated_log2({}).empty());
}

TEST_CASE("logarithms agree with the library's over the whole range") {
    Random random(7);
    std::vector<double> x;
    for (int k = 0; k < 20000; ++k) x.push_back(std::exp2(1048 * random.value<double>() - 25));
    for (int k = 0; k < 20000; ++k) x.push_back(1 + 0.5 * random.value<double>());
    const std::vector<double> cost = negated_log2(x);
    double worst = 0;
    for (std::size_t e = 0; e < x.size(); ++e) {
        const double expected = -std::log2(x[e]);
        worst = std::max(worst, std::abs(cost[e] - expected) / (1 + std::abs(expected)));
    }
    CHECK(worst <= 4 * epsilon<double>());
}

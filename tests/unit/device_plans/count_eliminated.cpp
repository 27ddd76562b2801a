// SPDX-License-Identifier: BSD-3-Clause
// Pivots of devices that are counted in chunks: as all together.
#include "worker/count_eliminated.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace frond::gpu {
namespace {

constexpr index_t chunk = 1 << 15, order = 3 * chunk + 5;
/// The rounding of a sum of so many logarithms, none of which is negative here.
constexpr double rounding = order * std::numeric_limits<double>::epsilon();

/// The last chunk first: results do not depend on the order.
void backwards(count_t chunks, const std::function<void(count_t)>& body) {
    CHECK(chunks == 4);
    for (count_t c = chunks; c-- > 0;) body(c);
}

void check_same(Factorization kind, const std::vector<double>& pivots) {
    const PivotReport whole = count_eliminated(kind, order, pivots.data());
    const PivotReport parts = count_eliminated(kind, order, pivots.data(), backwards);
    CHECK(parts.negative == whole.negative);
    CHECK(parts.positive == whole.positive);
    CHECK(parts.zero == whole.zero);
    CHECK(parts.two_by_two == whole.two_by_two);
    CHECK(parts.sizes.smallest == whole.sizes.smallest);
    CHECK(parts.sizes.largest == whole.sizes.largest);
    CHECK(std::abs(parts.log_abs_determinant - whole.log_abs_determinant) <= rounding * whole.log_abs_determinant);
}

double size_of(index_t k) { return 1 + 0.25 * (k % 7); }

TEST_CASE("pivots that are counted in chunks: one by one") {
    std::vector<double> diagonal(order);
    for (index_t k = 0; k < order; ++k) diagonal[at(k)] = size_of(k);
    check_same(Factorization::llt, diagonal);
    check_same(Factorization::lu, diagonal);
}

/// With pairs from `first` on, every other column; an odd one puts a pair on the end of each chunk.
std::vector<double> with_pairs(index_t first) {
    std::vector<double> pivots(2 * at(order), 0);
    for (index_t k = 0; k < order; ++k) pivots[at(2 * k)] = k % 3 == 0 ? -size_of(k) : size_of(k);
    for (index_t k = first; k + 1 < order; k += 2) pivots[at(2 * k + 1)] = 3;
    return pivots;
}

TEST_CASE("pivots that are counted in chunks: no pair is cut") {
    for (const index_t first : {0, 1}) {
        const std::vector<double> pivots = with_pairs(first);
        CHECK((pivots[at(2 * (chunk - 1) + 1)] != 0) == (first == 1));
        check_same(Factorization::ldlt, pivots);
        CHECK(count_eliminated(Factorization::ldlt, order, pivots.data(), backwards).two_by_two == order / 2);
    }
}

}  // namespace
}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#include "matching_oracle.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

struct Norms {
    std::vector<double> row, column;  // 1-norms of the scaled matrix
};

Norms norms_of(const Magnitudes& a, const Scaling& s) {
    Norms norms;
    norms.row.assign(s.row.size(), 0.0);
    norms.column.assign(s.column.size(), 0.0);
    for (index_t j = 0; j < a.pattern.cols; ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e) {
            const index_t i = a.pattern.row[e];
            const double scaled = s.row[i] * a.magnitude[e] * s.column[j];
            norms.row[i] += scaled;
            norms.column[j] += scaled;
        }
    return norms;
}

/// A well conditioned scaling problem behind rows and columns of very different sizes.
Magnitudes badly_scaled(index_t n, bool symmetric, std::uint64_t seed) {
    Magnitudes a = random_magnitudes(n, 0.5, 1, symmetric, seed);
    Random random(seed + 1);
    std::vector<double> row(static_cast<std::size_t>(n)), column;
    for (double& r : row) r = std::exp2(20 * random.value<double>());
    column = row;
    if (!symmetric)
        for (double& c : column) c = std::exp2(20 * random.value<double>());
    for (index_t j = 0; j < n; ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e)
            a.magnitude[e] *= row[a.pattern.row[e]] * column[j];
    return a;
}

}  // namespace

TEST_CASE("1-norms of rows and columns come within a factor of 4 of 1, from 2^+-40") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const bool symmetric = seed % 2 == 0;
        const Magnitudes a = badly_scaled(40, symmetric, seed);
        const Scaling s = equilibrate(a.pattern, a.magnitude, symmetric);
        CHECK(s.method == ScalingMethod::equilibrate);
        if (symmetric) CHECK(s.row == s.column);
        const Norms norms = norms_of(a, s);
        for (const auto& list : {norms.row, norms.column})
            for (double norm : list) {
                CHECK(norm > 0.25);
                CHECK(norm < 4.0);
            }
    }
}

TEST_CASE("a matrix that is equilibrated already is left as it is") {
    EntryTable<double> table;
    for (index_t i = 0; i < 10; ++i) table[{i, (i + 3) % 10}] = 1;
    const Magnitudes a = from_entries(10, table);
    const Scaling s = equilibrate(a.pattern, a.magnitude, false);
    CHECK(s.row == std::vector<double>(10, 1.0));
    CHECK(s.column == std::vector<double>(10, 1.0));
}

TEST_CASE("zero rows and columns scale to 1; extreme entries do not overflow") {
    const Magnitudes a = from_entries(5, {{{0, 0}, 1e300}, {{1, 1}, 1e-300}, {{1, 3}, 0.0}, {{4, 4}, 5e-324}});
    for (bool symmetric : {false, true}) {
        const Scaling s = equilibrate(a.pattern, a.magnitude, symmetric);
        CHECK(s.row[2] == 1);
        CHECK(s.column[2] == 1);
        if (!symmetric) CHECK(s.row[3] == 1);
        for (index_t i : {0, 1, 4}) CHECK(s.row[i] * a.at(i, i) * s.column[i] == doctest::Approx(1.0).epsilon(0.1));
    }
    CHECK(equilibrate(from_entries(0, {}).pattern, {}, true).row.empty());
}

TEST_CASE("scales become the nearest power of two in ratio") {
    std::vector<double> scale = {1, 1.4, 1.42, 2, 3, 0.7, 0.71, 1e-300, 1e300};
    round_to_powers_of_two(scale);
    CHECK(std::vector<double>(scale.begin(), scale.begin() + 7) == std::vector<double>{1, 1, 2, 2, 4, 0.5, 1});
    CHECK(scale[7] == 0x1p-997);  // log2 1e-300 = -996.58
    CHECK(scale[8] == 0x1p997);
    Random random(3);
    for (int k = 0; k < 1000; ++k) {
        const double x = std::exp2(900 * random.value<double>());
        std::vector<double> one = {x};
        round_to_powers_of_two(one);
        int exponent = 0;
        CHECK(std::frexp(one[0], &exponent) == 0.5);
        CHECK(std::abs(std::log2(one[0] / x)) <= 0.5 + 4 * epsilon<double>());
    }
}

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "matching_oracle.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

/// log2 of scaled entries: logarithms of size `range` and their sums over paths of n edges.
double log_tolerance(index_t n, double range) { return (n + 8) * (range + 8) * std::numeric_limits<double>::epsilon(); }

void check_optimal(const Magnitudes& a, const Matching& m, double range) {
    const DualCheck check = check_duals(a, m);
    const double tolerance = log_tolerance(a.pattern.cols, range);
    CHECK(check.valid);
    CHECK(check.worst_above_one <= tolerance);
    CHECK(check.worst_off_one <= tolerance);
    if (m.structural_rank < a.pattern.cols) return;
    CHECK(std::abs(check.log_product - check.dual_bound) <= a.pattern.cols * tolerance);
}

}  // namespace

TEST_CASE("small matrices: product equals that of the best permutation") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        const auto n = static_cast<index_t>(1 + seed % 7);
        const double density = seed % 3 == 0 ? 1.0 : seed % 3 == 1 ? 0.6 : 0.4;
        const double spread = seed % 2 == 0 ? 3 : 300;
        const Magnitudes a = random_magnitudes(n, density, spread, false, seed);
        const Matching m = maximum_product_matching(a.pattern, a.magnitude);
        const double best = best_log_product(a);
        check_optimal(a, m, spread);
        CHECK((m.structural_rank == n) == std::isfinite(best));
        if (!std::isfinite(best)) continue;
        CHECK(std::abs(check_duals(a, m).log_product - best) <= n * log_tolerance(n, spread));
    }
}

TEST_CASE("ties: entries of one size, only the pattern matters") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        const Magnitudes a = sparse_magnitudes(200, 1 + static_cast<index_t>(seed % 4), 0, false, seed);
        const Matching m = maximum_product_matching(a.pattern, a.magnitude);
        const DualCheck check = check_duals(a, m);
        CHECK(check.valid);
        CHECK(check.worst_above_one == 0);  // costs are 0: exact
        CHECK(check.worst_off_one == 0);
        CHECK(m.structural_rank == PlainMatching(a).size());
    }
}

TEST_CASE("rank agrees with plain augmenting paths, singular or not") {
    index_t singular = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        const auto n = static_cast<index_t>(20 + 7 * seed);
        const auto per_column = static_cast<index_t>(1 + seed % 5);
        const Magnitudes a = sparse_magnitudes(n, per_column, 40, seed % 2 == 0, seed);
        const Matching m = maximum_product_matching(a.pattern, a.magnitude);
        check_optimal(a, m, 40);
        CHECK(m.structural_rank == PlainMatching(a).size());
        singular += m.structural_rank < n;
    }
    CHECK(singular > 10);
}

TEST_CASE("entries from 1e-300 to 1e300") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Magnitudes a = random_magnitudes(6, 0.8, 996, false, 900 + seed);
        const Matching m = maximum_product_matching(a.pattern, a.magnitude);
        const DualCheck check = check_duals(a, m);
        CHECK(check.valid);
        const double best = best_log_product(a);
        if (std::isfinite(best)) CHECK(std::abs(check.log_product - best) <= 6 * log_tolerance(6, 996));
    }
}

TEST_CASE("duals beyond the range of exponents are cut, never infinite or zero") {
    EntryTable<double> table;
    const index_t n = 12;
    for (index_t i = 0; i < n; ++i) {
        table[{i, i}] = 1e-250;
        if (i + 1 < n) table[{i + 1, i}] = 1e250;
    }
    const Magnitudes a = from_entries(n, table);
    const Matching m = maximum_product_matching(a.pattern, a.magnitude);
    CHECK(m.structural_rank == n);
    for (index_t i = 0; i < n; ++i) {
        CHECK(m.row_of_column[i] == i);
        CHECK(is_usable_scale(m.row_scale[i]));
        CHECK(is_usable_scale(m.column_scale[i]));
    }
}

TEST_CASE("empty, 1 x 1, zero rows and columns, explicit zeros") {
    CHECK(maximum_product_matching(from_entries(0, {}).pattern, {}).structural_rank == 0);
    Pattern nothing;
    CHECK(maximum_product_matching(nothing, {}).row_of_column.empty());

    const Magnitudes one = from_entries(1, {{{0, 0}, 8.0}});
    const Matching m = maximum_product_matching(one.pattern, one.magnitude);
    CHECK(m.row_of_column == std::vector<index_t>{0});
    CHECK(m.row_scale[0] * m.column_scale[0] == 0.125);

    const Magnitudes zero = from_entries(1, {{{0, 0}, 0.0}});
    const Matching z = maximum_product_matching(zero.pattern, zero.magnitude);
    CHECK(z.structural_rank == 0);
    CHECK(z.row_of_column == std::vector<index_t>{-1});
    CHECK(z.row_scale[0] == 1);
    CHECK(z.column_scale[0] == 1);
}

TEST_CASE("rows and columns of zeros scale to 1, the rest is matched") {
    // Column 1 empty, row 3 holds a stored zero only.
    const Magnitudes a =
        from_entries(4, {{{0, 0}, 2.0}, {{0, 2}, 5.0}, {{2, 2}, 3.0}, {{2, 3}, 0.0}, {{3, 1}, 7.0}, {{3, 3}, 0.0}});
    const Matching m = maximum_product_matching(a.pattern, a.magnitude);
    CHECK(m.structural_rank == 3);
    CHECK(m.row_of_column == std::vector<index_t>{0, -1, 2, 1});
    CHECK(m.column_scale[1] == 1);
    CHECK(m.row_scale[3] == 1);
    CHECK(check_duals(a, m).worst_above_one <= log_tolerance(4, std::log2(7.0)));
}

TEST_CASE("structurally singular: scaled rows and columns have a largest entry of 1 or less") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        const Magnitudes a = sparse_magnitudes(300, 2, 20, false, 70 + seed);
        const Matching m = maximum_product_matching(a.pattern, a.magnitude);
        REQUIRE(m.structural_rank < 300);
        check_optimal(a, m, 40);
        for (index_t j = 0; j < 300; ++j) {
            if (m.row_of_column[j] >= 0) continue;
            double most = 0;
            for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e)
                most = std::max(most, m.row_scale[a.pattern.row[e]] * a.magnitude[e] * m.column_scale[j]);
            const bool empty = a.pattern.begin[j] == a.pattern.begin[j + 1];
            CHECK(std::abs(most - (empty ? 0 : 1)) <= log_tolerance(300, 40));
        }
    }
}

TEST_CASE("the same input gives the same matching, bit by bit") {
    const Magnitudes a = sparse_magnitudes(2000, 4, 5, false, 11);
    const Matching x = maximum_product_matching(a.pattern, a.magnitude);
    const Matching y = maximum_product_matching(a.pattern, a.magnitude);
    CHECK(x.row_of_column == y.row_of_column);
    CHECK(x.row_scale == y.row_scale);
    CHECK(x.column_scale == y.column_scale);
}

TEST_CASE("misuse is refused with the sizes") {
    Pattern wide;
    wide.rows = 2;
    wide.cols = 3;
    wide.begin = {0, 0, 0, 0};
    CHECK_THROWS_AS(maximum_product_matching(wide, {}), InvalidArgument);
    const Magnitudes a = random_magnitudes(4, 1, 1, false, 3);
    CHECK_THROWS_AS(maximum_product_matching(a.pattern, {1.0, 2.0}), InvalidArgument);
}

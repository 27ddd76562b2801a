// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "matching_oracle.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

void add(EntryTable<double>& table, index_t i, index_t j, double value) {
    table[{j, i}] = value;
    table[{i, j}] = value;
}

std::vector<index_t> pairs_of(const Magnitudes& a) {
    const Matching m = symmetric_maximum_product_matching(a.pattern, a.magnitude);
    return symmetric_pairs(a.pattern, a.magnitude, m);
}

/// partner is an involution whose pairs are entries of a.
bool is_pairing(const Magnitudes& a, const std::vector<index_t>& partner) {
    for (std::size_t i = 0; i < partner.size(); ++i) {
        const auto v = static_cast<index_t>(i);
        if (partner[partner[v]] != v) return false;
        if (partner[v] != v && a.at(partner[v], v) == 0) return false;
    }
    return true;
}

index_t singletons(const std::vector<index_t>& partner) {
    index_t count = 0;
    for (std::size_t i = 0; i < partner.size(); ++i) count += partner[i] == static_cast<index_t>(i);
    return count;
}

/// A cycle of n vertices with links of size 1 and the given diagonal.
Magnitudes ring(const std::vector<double>& diagonal) {
    const auto n = static_cast<index_t>(diagonal.size());
    EntryTable<double> table;
    for (index_t i = 0; i < n; ++i) {
        add(table, (i + 1) % n, i, 1);
        if (diagonal[i] != 0) table[{i, i}] = diagonal[i];
    }
    return from_entries(n, table);
}

/// The matching that goes once around a ring; all scales 1.
Matching around(index_t n) {
    Matching m;
    for (index_t j = 0; j < n; ++j) m.row_of_column.push_back((j + 1) % n);
    m.structural_rank = n;
    m.row_scale.assign(static_cast<std::size_t>(n), 1.0);
    m.column_scale = m.row_scale;
    return m;
}

std::vector<index_t> split(const std::vector<double>& diagonal) {
    const Magnitudes a = ring(diagonal);
    return symmetric_pairs(a.pattern, a.magnitude, around(a.pattern.cols));
}

}  // namespace

TEST_CASE("a zero diagonal next to a large one makes a pair") {
    EntryTable<double> table;
    table[{0, 0}] = 100;
    add(table, 1, 0, 1);
    const Magnitudes a = from_entries(2, table);
    CHECK(pairs_of(a) == std::vector<index_t>{1, 0});
}

TEST_CASE("two diagonals that stand alone are never paired") {
    // Matching takes the off-diagonal 1 x 1 over 0.9 x 0.9; both 0.9 are pivots of their own.
    EntryTable<double> table;
    table[{0, 0}] = table[{1, 1}] = 0.9;
    add(table, 1, 0, 1);
    const Magnitudes a = from_entries(2, table);
    CHECK(pairs_of(a) == std::vector<index_t>{0, 1});
    table[{1, 1}] = 0.05;
    const Magnitudes b = from_entries(2, table);
    CHECK(pairs_of(b) == std::vector<index_t>{1, 0});
}

TEST_CASE("even cycle: the split with the larger product of determinants") {
    // Pairs (1,2), (3,0) have a diagonal product of 1 * 0.9 = nearly singular; (0,1), (2,3) do not.
    CHECK(split({0, 1, 0.05, 0}) == std::vector<index_t>{1, 0, 3, 2});
    CHECK(split({0, 0.05, 1, 0}) == std::vector<index_t>{1, 0, 3, 2});
    CHECK(split({1, 0, 0, 0.09}) == std::vector<index_t>{1, 0, 3, 2});
    // Rotated by one the other split wins.
    CHECK(split({0.09, 1, 0, 0}) == std::vector<index_t>{3, 2, 1, 0});
}

TEST_CASE("odd cycle: the vertex left out is the one with the best product") {
    for (index_t alone = 0; alone < 7; ++alone) {
        CAPTURE(alone);
        std::vector<double> diagonal(7, 0.0);
        diagonal[alone] = 0.5;
        const std::vector<index_t> partner = split(diagonal);
        CHECK(is_pairing(ring(diagonal), partner));
        CHECK(singletons(partner) == 1);
        CHECK(partner[alone] == alone);
    }
}

TEST_CASE("odd cycles against all positions") {
    // Diagonals below and above the 1x1 threshold; 11 * 0.09 = 0.99 makes a pair nearly singular.
    const double sizes[] = {0.03, 0.05, 0.09, 8, 11};
    const auto pair = [](double x, double y) { return std::min(x, y) >= 0.1 ? x * y : std::abs(1 - x * y); };
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        std::vector<double> d(9);
        for (double& x : d) x = sizes[random.below(5)] * (1 + 0.01 * random.value<double>());
        const auto value = [&](index_t alone) {
            double product = d[alone];
            for (index_t p = 0; p < 4; ++p) product *= pair(d[(alone + 1 + 2 * p) % 9], d[(alone + 2 + 2 * p) % 9]);
            return product;
        };
        index_t best = 0;
        for (index_t alone = 1; alone < 9; ++alone)
            if (value(alone) > value(best)) best = alone;
        const std::vector<index_t> partner = split(d);
        CHECK(partner[best] == best);
        for (index_t p = 0; p < 4; ++p) {
            const index_t i = (best + 1 + 2 * p) % 9, j = (best + 2 + 2 * p) % 9;
            CHECK(partner[i] == (std::min(d[i], d[j]) >= 0.1 ? i : j));
        }
    }
}

TEST_CASE("a matching by the diagonal gives no pair") {
    EntryTable<double> table;
    for (index_t i = 0; i < 20; ++i) {
        table[{i, i}] = 4;
        if (i > 0) add(table, i, i - 1, 1);
    }
    const Magnitudes a = from_entries(20, table);
    CHECK(singletons(pairs_of(a)) == 20);
}

TEST_CASE("random symmetric matrices: pairs are entries, zero diagonals are not left over") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        const Magnitudes a = sparse_magnitudes(250, 3, 8, true, 40 + seed);
        const Matching m = symmetric_maximum_product_matching(a.pattern, a.magnitude);
        const std::vector<index_t> partner = symmetric_pairs(a.pattern, a.magnitude, m);
        REQUIRE(is_pairing(a, partner));
        for (index_t i = 0; i < 250; ++i)
            if (m.row_of_column[i] < 0) CHECK(partner[i] == i);
        const Matching plain = maximum_product_matching(a.pattern, a.magnitude);
        CHECK(is_pairing(a, symmetric_pairs(a.pattern, a.magnitude, plain)));
    }
}

TEST_CASE("symmetric scales bound all entries by 1 and make matched ones 1") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        const auto per_column = static_cast<index_t>(1 + seed % 3);
        const Magnitudes a = sparse_magnitudes(200, per_column, 30, true, 300 + seed);
        const Matching m = symmetric_maximum_product_matching(a.pattern, a.magnitude);
        CHECK(m.structural_rank == PlainMatching(a).size());
        CHECK(m.row_scale == m.column_scale);
        CHECK(m.row_scale == symmetric_scale(m));
        const DualCheck check = check_duals(a, m);
        const double tolerance = 208 * 70 * std::numeric_limits<double>::epsilon();
        CHECK(check.valid);
        CHECK(check.worst_above_one <= tolerance);
        CHECK(check.worst_off_one <= tolerance);
        // The rows that are matched are the columns that are matched.
        std::vector<int> matched(200, 0);
        for (index_t i : m.row_of_column)
            if (i >= 0) matched[i] = 1;
        for (index_t j = 0; j < 200; ++j) CHECK(matched[j] == (m.row_of_column[j] >= 0));
    }
}

TEST_CASE("structurally singular: a star keeps one pair") {
    EntryTable<double> table;
    for (index_t i = 1; i < 6; ++i) add(table, i, 0, i == 3 ? 8 : 1);
    const Magnitudes a = from_entries(6, table);
    const Matching m = symmetric_maximum_product_matching(a.pattern, a.magnitude);
    CHECK(m.structural_rank == 2);
    const std::vector<index_t> partner = symmetric_pairs(a.pattern, a.magnitude, m);
    CHECK(is_pairing(a, partner));
    CHECK(singletons(partner) == 4);
    CHECK(partner[0] != 0);
}

TEST_CASE("a matching of another order is refused") {
    const Magnitudes a = ring({0, 0, 0});
    CHECK_THROWS_AS(symmetric_pairs(a.pattern, a.magnitude, around(4)), InvalidArgument);
    const Magnitudes none = from_entries(0, {});
    CHECK(symmetric_pairs(none.pattern, {}, Matching{}).empty());
}

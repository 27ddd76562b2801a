// SPDX-License-Identifier: BSD-3-Clause
// Random integer matrices that are singular, regular, or regular by weak springs alone: the number of null pivots
// against the rank by exact elimination. FROND_TEST_SYSTEMS: how many of each family, by default few.
#include "exact_rank.hpp"
#include "frond/frond.hpp"
#include "random_sparse.hpp"
#include "shared_session.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

std::uint64_t systems() {
    const char* given = std::getenv("FROND_TEST_SYSTEMS");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : 60;
}

/// In -size .. size.
double integer(Random& random, int size) { return random.below(2 * size + 1) - size; }

/// A^T = -A, all entries given: singular when n is odd.
SparseMatrix<double> skew(index_t n, Random& random) {
    EntryTable<double> table;
    for (index_t j = 0; j < n; ++j)
        for (index_t i = j + 1; i < n; ++i)
            if (const double v = integer(random, 3); v != 0) table[{j, i}] = v, table[{i, j}] = -v;
    return from_table(n, table, Symmetry::general);
}

/// Four entries in a row, and a last row that is a sum of others, or not.
SparseMatrix<double> with_sum_of_rows(index_t n, bool is_sum, Random& random) {
    EntryTable<double> table;
    for (index_t i = 0; i + 1 < n; ++i) {
        table[{i, i}] = 4;
        for (int k = 0; k < 3; ++k) table[{random.below(n), i}] = integer(random, 3);
    }
    const EntryTable<double> above = table;
    for (const auto& [place, value] : above)
        if (place.second % 3 == 0) table[{place.first, n - 1}] += value;
    if (!is_sum) table[{random.below(n), n - 1}] += 1;
    return from_table(n, table, Symmetry::general);
}

/// Chains of bars of integer stiffness, each chain held by `spring` at one of its nodes.
SparseMatrix<double> chains(index_t length, index_t count, double spring, Symmetry symmetry, Random& random) {
    EntryTable<double> table;
    for (index_t c = 0; c < count; ++c) {
        for (index_t i = c * length; i + 1 < (c + 1) * length; ++i) {
            const double k = 1 + random.below(8);
            table[{i, i}] += k;
            table[{i + 1, i + 1}] += k;
            table[{i, i + 1}] -= k;
            if (symmetry == Symmetry::general) table[{i + 1, i}] -= k;
        }
        const index_t held = c * length + random.below(length);
        table[{held, held}] += spring;
    }
    return from_table(length * count, table, symmetry);
}

index_t nullity(const SparseMatrix<double>& a, Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    Solver<double> solver(shared_session(), options);
    const FactorReport report = solver.factor(a);
    CHECK((report.status == FactorStatus::singular) == !report.pivots.small_columns.empty());
    return static_cast<index_t>(report.pivots.small_columns.size());
}

/// unit: what makes all entries integers.
void check(SparseMatrix<double> a, double unit = 1) {
    const index_t by_lu = nullity(a, Factorization::lu);
    const index_t symmetric = a.symmetry == Symmetry::general ? by_lu : nullity(a, Factorization::ldlt);
    for (double& v : a.value) v *= unit;
    const std::optional<index_t> rank = exact_rank(a);
    REQUIRE(rank);
    CHECK(by_lu == a.rows() - *rank);
    CHECK(symmetric == a.rows() - *rank);
}

}  // namespace

TEST_CASE("dense skew-symmetric integers: one null vector where the order is odd") {
    for (std::uint64_t seed = 1; seed <= systems() / 4; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        check(skew(41 + random.below(80), random));
    }
    for (const std::uint64_t seed : {4, 14, 15}) {
        CAPTURE(seed);
        Random random(seed);
        check(skew(301, random));
    }
}

TEST_CASE("sparse integers with and without a dependent row") {
    for (std::uint64_t seed = 1; seed <= systems(); ++seed) {
        CAPTURE(seed);
        Random random(seed);
        check(with_sum_of_rows(10 + random.below(150), seed % 2 == 0, random));
    }
}

TEST_CASE("weak springs make floating bodies regular, and null pivots without them") {
    constexpr double spring = 0x1p-44, unit = 0x1p44;  // some 6e-14
    for (std::uint64_t seed = 1; seed <= systems(); ++seed)
        for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
            CAPTURE(seed);
            CAPTURE(static_cast<int>(symmetry));
            Random random(seed);
            const index_t length = 3 + random.below(12), count = 1 + random.below(30);
            check(chains(length, count, seed % 3 == 0 ? 0 : spring, symmetry, random), unit);
        }
}

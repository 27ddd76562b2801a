// SPDX-License-Identifier: BSD-3-Clause
// Entries of A scaled in the order of the entry map, against the formula.
#include "frond/analysis/analysis.hpp"
#include "frond/cpu/subtree.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

/// Values whose sizes differ by up to 2^20, so that a scaling has something to do; a diagonal that is there.
template <class T>
SparseMatrix<T> graded(index_t n, Symmetry symmetry, std::uint64_t seed) {
    Random random(seed);
    EntryTable<T> table;
    const auto put = [&](index_t i, index_t j) {
        T value = random.value<T>() * static_cast<real_t<T>>(std::ldexp(1.0, static_cast<int>(random.below(20)) - 10));
        if (i == j && symmetry == Symmetry::hermitian) value = T(std::abs(value));
        table[{j, i}] = value;
    };
    for (index_t j = 0; j < n; ++j) {
        put(j, j);
        for (int k = 0; k < 4; ++k) {
            const index_t i = random.below(n);
            symmetry == Symmetry::general ? put(i, j) : put(std::max(i, j), std::min(i, j));
        }
    }
    return from_table(n, table, symmetry);
}

/// Row and column of A of an entry of the map.
std::pair<index_t, index_t> place_of(const Pattern& pattern, count_t source) {
    const count_t s = source < 0 ? ~source : source;
    const auto column = std::upper_bound(pattern.begin.begin(), pattern.begin.end(), s) - pattern.begin.begin() - 1;
    const index_t i = pattern.row[at(s)], j = static_cast<index_t>(column);
    return source < 0 ? std::pair(j, i) : std::pair(i, j);
}

template <class T>
std::vector<T> expected_entries(const SparseMatrix<T>& a, const Analysis& analysis, const Scaling& scaling) {
    std::vector<T> expected;
    for (const count_t source : analysis.entry_map.source) {
        T value = a.value[at(source < 0 ? ~source : source)];
        if (source < 0 && a.symmetry == Symmetry::hermitian) value = conjugate(value);
        const auto [i, j] = place_of(a.pattern, source);
        // Exact: scales are powers of two.
        if (!scaling.row.empty()) value *= static_cast<real_t<T>>(scaling.row[at(i)] * scaling.column[at(j)]);
        expected.push_back(value);
    }
    return expected;
}

template <class T>
void check_scaling(const SparseMatrix<T>& a, const Analysis& analysis, const Scaling& scaling,
                   const KeptScaling* kept) {
    const std::vector<T> expected = expected_entries(a, analysis, scaling);
    const auto entries = static_cast<count_t>(expected.size());
    for (const count_t first : {count_t(0), entries / 3, entries - 1}) {
        std::vector<T> scaled(at(entries - first));
        const real_t<T> largest =
            cpu::scale_entries(analysis, scaling, kept, a.value.data(), first, entries, scaled.data());
        REQUIRE(std::equal(scaled.begin(), scaled.end(), expected.begin() + first));
        real_t<T> most = 0;
        for (const T& value : scaled) most = std::max<real_t<T>>(most, std::abs(value));
        CHECK(largest == most);
    }
}

template <class T>
void check_kind(Symmetry symmetry, Factorization kind, std::uint64_t seed) {
    const SparseMatrix<T> a = graded<T>(60, symmetry, seed);
    AnalysisOptions options;
    options.factorization = kind;
    const AnalysisResult result = analyze(a, options);
    const Analysis& analysis = *result.analysis;
    REQUIRE(!result.scaling.row.empty());
    const KeptScaling kept(result.scaling, false, a, analysis);
    check_scaling(a, analysis, result.scaling, nullptr);
    check_scaling(a, analysis, result.scaling, &kept);
    check_scaling(a, analysis, Scaling(), nullptr);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("entries scaled by scales and by exponents", T, scaled_entries) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        CAPTURE(seed);
        check_kind<T>(Symmetry::general, Factorization::lu, seed);
        check_kind<T>(Symmetry::symmetric, Factorization::lu, seed);
        check_kind<T>(Symmetry::symmetric, Factorization::ldlt, seed);
        if constexpr (is_complex<T>) check_kind<T>(Symmetry::hermitian, Factorization::ldlh, seed);
    }
}
TEST_CASE_TEMPLATE_APPLY(scaled_entries, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a value that is no number is told, wherever it is", T, not_a_number) {
    SparseMatrix<T> a = graded<T>(30, Symmetry::general, 7);
    const AnalysisResult result = analyze(a, AnalysisOptions());
    for (std::size_t k = 0; k < a.value.size(); ++k) {
        const T before = a.value[k];
        a.value[k] = T(std::numeric_limits<real_t<T>>::quiet_NaN());
        std::vector<T> scaled(a.value.size());
        CHECK(std::isnan(cpu::scale_entries(*result.analysis, result.scaling, nullptr, a.value.data(), 0,
                                            static_cast<count_t>(scaled.size()), scaled.data())));
        a.value[k] = before;
    }
}
TEST_CASE_TEMPLATE_APPLY(not_a_number, Scalars);

// SPDX-License-Identifier: BSD-3-Clause
// What no matching covers, for values whose zeros are not those of the values analysed.
#include "frond/analysis/steps.hpp"
#include "matching_oracle.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

/// A share of the entries as explicit zeros.
SparseMatrix<double> with_zeros(SparseMatrix<double> a, index_t share_in_percent, Random& random) {
    for (double& v : a.value)
        if (random.below(100) < share_in_percent) v = 0;
    return a;
}

Magnitudes full_magnitudes_of(const SparseMatrix<double>& a) {
    EntryTable<double> table;
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e) {
            table[{j, a.pattern.row[e]}] = a.value[e];
            if (a.symmetry != Symmetry::general) table[{a.pattern.row[e], j}] = a.value[e];
        }
    return from_entries(a.cols(), table);
}

/// A without these columns and rows.
Magnitudes without(Magnitudes a, const UnmatchedPart& part) {
    for (index_t j = 0; j < a.pattern.cols; ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e)
            if (std::binary_search(part.columns.begin(), part.columns.end(), j) ||
                std::binary_search(part.rows.begin(), part.rows.end(), a.pattern.row[e]))
                a.magnitude[e] = 0;
    return a;
}

}  // namespace

TEST_CASE("the unmatched part is that of the values, whatever was analysed") {
    index_t more = 0, less = 0, same = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed)
        for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
            CAPTURE(seed);
            Random random(seed);
            const index_t n = 1 + random.below(60);
            const SparseMatrix<double> a = random_sparse<double>(n, 1, symmetry, false, seed);
            AnalysisOptions options;
            options.factorization = symmetry == Symmetry::general ? Factorization::lu : Factorization::ldlt;
            options.matching = MatchingMode::on;
            const AnalysisResult analysed = analyze(with_zeros(a, 40, random), options);
            const index_t known = analysed.analysis->report.structural_rank;
            for (const index_t share : {0, 20, 40, 60}) {
                const SparseMatrix<double> b = with_zeros(a, share, random);
                const Magnitudes full = full_magnitudes_of(b);
                const UnmatchedPart part = unmatched_part(b, *analysed.analysis);
                const index_t rank = PlainMatching(full).size();
                CHECK(static_cast<index_t>(part.columns.size()) == n - rank);
                CHECK(static_cast<index_t>(part.rows.size()) == n - rank);
                CHECK(PlainMatching(without(full, part)).size() == rank);
                if (symmetry == Symmetry::symmetric) CHECK(part.rows == part.columns);
                ++(rank > known ? more : rank < known ? less : same);
            }
        }
    CHECK(more > 20);
    CHECK(less > 20);
    CHECK(same > 20);
}

TEST_CASE("nothing is said unmatched of a matrix that was not matched") {
    const SparseMatrix<double> a = from_table(3, EntryTable<double>{{{0, 0}, 1.0}}, Symmetry::general);
    const AnalysisResult analysed = analyze(a, {.matching = MatchingMode::off});
    CHECK(unmatched_part(a, *analysed.analysis).columns.empty());
}

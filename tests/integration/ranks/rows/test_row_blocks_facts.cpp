// SPDX-License-Identifier: BSD-3-Clause
// What is asked of matrices in row blocks, against the answers of one process.
#include "frond/base/large_vector.hpp"
#include "block_matrix.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/matrix/magnitude_of.hpp"
#include "ranked/distributed/diagonal_of_rows.hpp"
#include "system/rows/block_facts.hpp"
#include "system/rows/equilibrate_blocks.hpp"
#include "scalar_lists.hpp"
#include "submit/scaled_entries.hpp"

using namespace frond;
using namespace frond::test;

namespace {

/// The diagonal, and whether all |a_ij|^2 < a_ii a_jj, by loops over the whole matrix.
template <class T>
struct PlainFacts {
    std::vector<T> diagonal;
    bool minors_are_positive = true;

    explicit PlainFacts(const SparseMatrix<T>& a) : diagonal(at(a.rows())) {
        const auto for_entries = [&](auto visit) {
            for (index_t j = 0; j < a.cols(); ++j)
                for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e)
                    visit(at(a.pattern.row[at(e)]), at(j), a.value[at(e)]);
        };
        for_entries([&](std::size_t i, std::size_t j, T v) {
            if (i == j) diagonal[i] = v;
        });
        for_entries([&](std::size_t i, std::size_t j, T v) {
            const double product =
                static_cast<double>(real_part(diagonal[i])) * static_cast<double>(real_part(diagonal[j]));
            if (i != j && std::norm(std::complex<double>(v)) >= product) minors_are_positive = false;
        });
    }
};

/// All of it on rank 0, its range on all ranks. It stays as it is while someone has it; then its memory is the next one's.
template <class T>
void check_diagonal(const BlockMatrix<T>& m, const std::vector<T>& plain, const SomeRanks& some) {
    const bool is_here = some.rank() == 0;
    const ExponentRange range = exponent_range<T>(plain);
    const LargeVector<T> zeros(m.value->size(), T(0));
    detail::DiagonalMemory<T> memory;
    const auto first = detail::diagonal_of_rows(*m.ranks, *m.pattern, *m.value, memory);
    CHECK(first.range.least == range.least);
    CHECK(first.range.most == range.most);
    auto second = detail::diagonal_of_rows(*m.ranks, *m.pattern, zeros, memory);
    REQUIRE((first.matrix != nullptr) == is_here);
    if (is_here) {
        CHECK(first.matrix->value == plain);
        CHECK(first.matrix->symmetry == m.pattern->symmetry);
        CHECK(first.matrix->pattern.begin.size() == plain.size() + 1);
        CHECK(second.matrix->value == std::vector<T>(plain.size()));
    }
    const SparseMatrix<T>* const place = second.matrix.get();
    second = {};
    const auto third = detail::diagonal_of_rows(*m.ranks, *m.pattern, *m.value, memory);
    CHECK(third.matrix.get() == place);
    if (is_here) CHECK(third.matrix->value == plain);
}

template <class T>
void check_facts(const SparseMatrix<T>& a, const SomeRanks& some) {
    const BlockMatrix<T> m(a, some);
    const PlainFacts<T> plain(a);
    check_diagonal(m, plain.diagonal, some);
    CHECK_NOTHROW(detail::expect_finite_blocks(*m.ranks, *m.pattern, *m.value));
    const Definiteness found = detail::definiteness_of_blocks(*m.ranks, *m.pattern, *m.value);
    const std::shared_ptr<const Analysis> one = analyze(a, {}).analysis;
    CHECK(found.positive_diagonal == one->positive_diagonal);
    CHECK(found.possible == (one->positive_diagonal && plain.minors_are_positive));
    const bool may_be_llt = a.symmetry == Symmetry::hermitian || (a.symmetry == Symmetry::symmetric && !is_complex<T>);
    if (may_be_llt) CHECK(found.possible == (one->factorization == Factorization::llt));
}

template <class T>
void check_equilibration(const SparseMatrix<T>& a, const SomeRanks& some) {
    const BlockMatrix<T> m(a, some);
    const SparseMatrix<T> full = a.symmetry == Symmetry::general ? a : expanded(a);
    for (const bool symmetric : {false, true}) {
        const Scaling one = equilibrate(full.pattern, magnitudes_of(full.value), symmetric);
        const RowsAndColumns found = detail::equilibrate_blocks(*m.ranks, *m.pattern, *m.value, symmetric);
        CHECK(found.row == one.row);
        CHECK(found.column == one.column);
    }
}

/// Two entries that are not finite, with what takes their places: the message is that of one process.
template <class T>
void check_not_finite(SparseMatrix<T> a, const SomeRanks& some, real_t<T> bad) {
    const BlockMatrix<T> m(a, some);
    LargeVector<T> value = *m.value;
    for (const std::size_t e : {a.value.size() / 2, a.value.size() / 3}) {
        const auto next = std::upper_bound(a.pattern.begin.begin(), a.pattern.begin.end(), static_cast<count_t>(e));
        const index_t row = a.pattern.row[e], column = static_cast<index_t>(next - a.pattern.begin.begin()) - 1;
        a.value[e] = T(bad);
        detail::for_block_entries(*m.pattern, [&](count_t k, index_t i, index_t j) {
            const bool mirrored = a.symmetry != Symmetry::general && i == column && j == row;
            if ((i == row && j == column) || mirrored) value[at(k)] = a.value[e];
        });
    }
    const auto of_one = message_of<InvalidMatrix>([&] { detail::expect_finite(a); });
    const auto found = message_of<InvalidMatrix>([&] { detail::expect_finite_blocks(*m.ranks, *m.pattern, value); });
    CHECK(found == of_one);
    CHECK(contains(found, "values must be finite"));
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("row blocks: diagonal and definiteness are those of one process", T, facts_of_scalar) {
    on_some_ranks([](const SomeRanks& some) {
        for (const SparseMatrix<T>& a : matrices_of_each_kind<T>()) check_facts(a, some);
        check_facts(poisson2d<T>(6).matrix, some);
        check_facts(kkt<T>(2).matrix, some);
        // A positive diagonal with a minor that is zero, and one that is negative.
        for (const int far : {1, 2})
            check_facts(from_table<T>(9,
                                      {{{0, 0}, T(4)},
                                       {{0, 8}, T(static_cast<real_t<T>>(2 * far))},
                                       {{1, 1}, T(1)},
                                       {{2, 2}, T(1)},
                                       {{3, 3}, T(1)},
                                       {{4, 4}, T(1)},
                                       {{5, 5}, T(1)},
                                       {{6, 6}, T(1)},
                                       {{7, 7}, T(1)},
                                       {{8, 8}, T(1)}},
                                      Symmetry::symmetric),
                        some);
    });
}
TEST_CASE_TEMPLATE_APPLY(facts_of_scalar, Scalars);

TEST_CASE_TEMPLATE_DEFINE("row blocks: equilibration has the bits of one process", T, equilibration_of_scalar) {
    on_some_ranks([](const SomeRanks& some) {
        for (const SparseMatrix<T>& a : matrices_of_each_kind<T>()) check_equilibration(a, some);
    });
}
TEST_CASE_TEMPLATE_APPLY(equilibration_of_scalar, Scalars);

TEST_CASE_TEMPLATE_DEFINE("row blocks: the first entry that is not finite is named on all ranks", T, finite_of_scalar) {
    using R = real_t<T>;
    on_some_ranks([](const SomeRanks& some) {
        for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian})
            for (const R bad : {std::numeric_limits<R>::quiet_NaN(), -std::numeric_limits<R>::infinity()})
                check_not_finite(badly_scaled<T>(50, symmetry, 4), some, bad);
    });
}
TEST_CASE_TEMPLATE_APPLY(finite_of_scalar, Scalars);

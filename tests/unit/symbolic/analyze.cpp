// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/analysis.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "frond/matrix/operations.hpp"
#include "random_order.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"
#include "test_graphs.hpp"
#include "tree_checks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

AnalysisOptions asked(Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    options.workers = 2;
    return options;
}

/// Everything that must hold of an analysis whatever the matrix.
template <class T>
void check_analysis(const SparseMatrix<T>& a, const AnalysisResult& result) {
    const Analysis& analysis = *result.analysis;
    const index_t n = a.cols();
    REQUIRE(analysis.order == n);
    REQUIRE(analysis.entries == a.entries());
    REQUIRE(analysis.symmetry == a.symmetry);
    REQUIRE(analysis.factorization != Factorization::automatic);
    REQUIRE(analysis.pattern_hash == hash_pattern(a.pattern));
    REQUIRE(is_permutation_of(analysis.row_order, n));
    REQUIRE(is_permutation_of(analysis.column_order, n));
    const bool symmetric_kind = analysis.factorization != Factorization::lu;
    if (symmetric_kind) REQUIRE(analysis.row_order == analysis.column_order);
    REQUIRE(wrong_shape(analysis.tree) == "");
    REQUIRE(wrong_relative_rows(analysis.tree) == "");
    REQUIRE(wrong_mapping(analysis.tree, analysis.mapping, analysis.pair_with_next) == "");

    // Each stored entry, at its place in B, is where the entry map says, once.
    std::vector<index_t> row(n), column(n);
    for (index_t k = 0; k < n; ++k) {
        row[analysis.row_order[k]] = k;
        column[analysis.column_order[k]] = k;
    }
    std::map<std::pair<index_t, index_t>, count_t> wanted, found;
    for (index_t j = 0; j < n; ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e) {
            const index_t i = a.pattern.row[e];
            const bool mirror = a.symmetry != Symmetry::general && i != j;
            if (!symmetric_kind || row[i] >= column[j]) wanted[{row[i], column[j]}] = e;
            if (mirror && (!symmetric_kind || row[j] >= column[i])) wanted[{row[j], column[i]}] = ~e;
        }
    for (index_t f = 0; f < analysis.tree.front_count(); ++f)
        for (count_t e = analysis.entry_map.front_begin[f]; e < analysis.entry_map.front_begin[f + 1]; ++e)
            found[{position_of(analysis.tree, f, analysis.entry_map.row[e]),
                   position_of(analysis.tree, f, analysis.entry_map.column[e])}] = analysis.entry_map.source[e];
    REQUIRE(found == wanted);
    REQUIRE(analysis.entry_map.source.size() == wanted.size());
    for (const std::vector<double>* scale : {&result.scaling.row, &result.scaling.column})
        if (result.scaling.method != ScalingMethod::none) {
            REQUIRE(scale->size() == static_cast<std::size_t>(n));
            for (double s : *scale) REQUIRE((s > 0 && std::isfinite(s)));
        }
}

template <class T>
SparseMatrix<T> diagonal_matrix(index_t n, T value, Symmetry symmetry) {
    EntryTable<T> table;
    for (index_t i = 0; i < n; ++i) table[{i, i}] = value;
    return from_table(n, table, symmetry);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("analysis of every symmetry and factorization", T, every_analysis) {
    const bool complex_scalar = is_complex<T>;
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian})
        for (const bool dominant : {true, false})
            for (const MatchingMode matching : {MatchingMode::automatic, MatchingMode::on, MatchingMode::off})
                for (std::uint64_t seed = 1; seed <= 6; ++seed) {
                    CAPTURE(seed);
                    const index_t n = static_cast<index_t>(1 + 17 * (seed - 1));
                    const SparseMatrix<T> a = random_sparse<T>(n, 3, symmetry, dominant, seed);
                    AnalysisOptions options = asked(Factorization::automatic);
                    options.matching = matching;
                    check_analysis(a, analyze(a, options));
                    options.factorization = Factorization::lu;
                    check_analysis(a, analyze(a, options));
                    if (symmetry == Symmetry::general) continue;
                    options.factorization =
                        complex_scalar && symmetry == Symmetry::hermitian ? Factorization::ldlh : Factorization::ldlt;
                    check_analysis(a, analyze(a, options));
                    if (complex_scalar && symmetry == Symmetry::symmetric) continue;
                    options.factorization = Factorization::llt;
                    check_analysis(a, analyze(a, options));
                }
}

TEST_CASE_TEMPLATE_APPLY(every_analysis, Scalars);

TEST_CASE("automatic takes the factorization that the matrix allows") {
    const auto kind_of = [](const auto& a) {
        return analyze(a, asked(Factorization::automatic)).analysis->factorization;
    };
    CHECK(kind_of(random_sparse<double>(30, 3, Symmetry::symmetric, true, 1)) == Factorization::llt);
    CHECK(kind_of(random_sparse<double>(30, 3, Symmetry::symmetric, false, 1)) == Factorization::ldlt);
    CHECK(kind_of(random_sparse<double>(30, 3, Symmetry::general, true, 1)) == Factorization::lu);
#if FROND_SCALAR_Z
    using Z = std::complex<double>;
    CHECK(kind_of(random_sparse<Z>(30, 3, Symmetry::hermitian, true, 1)) == Factorization::llt);
    CHECK(kind_of(random_sparse<Z>(30, 3, Symmetry::hermitian, false, 1)) == Factorization::ldlh);
    CHECK(kind_of(random_sparse<Z>(30, 3, Symmetry::symmetric, true, 1)) == Factorization::ldlt);
    CHECK(kind_of(random_sparse<Z>(30, 3, Symmetry::general, true, 1)) == Factorization::lu);
#endif

    // A positive diagonal is not enough: |a_10|^2 > a_00 a_11 rules out definiteness.
    const EntryTable<double> table = {{{0, 0}, 1}, {{0, 1}, 2}, {{1, 1}, 1}};
    const SparseMatrix<double> indefinite = from_table(2, table, Symmetry::symmetric);
    CHECK(kind_of(indefinite) == Factorization::ldlt);
    CHECK(analyze(indefinite, {}).analysis->positive_diagonal);
    // A missing diagonal entry is zero.
    const EntryTable<double> hollow = {{{0, 0}, 1}, {{0, 1}, 2}};
    CHECK(kind_of(from_table(2, hollow, Symmetry::symmetric)) == Factorization::ldlt);
}

TEST_CASE("a factorization that the matrix does not allow is refused with the cure") {
    const auto general = random_sparse<double>(9, 2, Symmetry::general, true, 1);
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::ldlh})
        CHECK_THROWS_AS(analyze(general, asked(kind)), InvalidMatrix);
#if FROND_SCALAR_Z
    using Z = std::complex<double>;
    const auto hermitian = random_sparse<Z>(9, 2, Symmetry::hermitian, true, 1);
    const auto symmetric = random_sparse<Z>(9, 2, Symmetry::symmetric, true, 1);
    CHECK_THROWS_AS(analyze(hermitian, asked(Factorization::ldlt)), InvalidMatrix);
    CHECK_THROWS_AS(analyze(symmetric, asked(Factorization::llt)), InvalidMatrix);
    CHECK_THROWS_AS(analyze(symmetric, asked(Factorization::ldlh)), InvalidMatrix);
#endif
    CHECK_THROWS_WITH_AS(analyze(general, asked(Factorization::llt)), doctest::Contains("ask for lu"), InvalidMatrix);
    const auto real = random_sparse<double>(9, 2, Symmetry::symmetric, true, 1);
    CHECK(analyze(real, asked(Factorization::ldlh)).analysis->factorization == Factorization::ldlt);

    SparseMatrix<double> oblong;
    oblong.pattern = {3, 2, {0, 1, 2}, {0, 2}};
    oblong.value = {1, 1};
    CHECK_THROWS_WITH_AS(analyze(oblong, {}), doctest::Contains("3 x 2"), InvalidMatrix);
}

TEST_CASE("matched entries of an unsymmetric matrix stand on the diagonal of B") {
    // A cyclic shift with small noise: the only good diagonal is the shifted one.
    const index_t n = 50;
    Random random(3);
    EntryTable<double> table;
    for (index_t j = 0; j < n; ++j) {
        for (int k = 0; k < 4; ++k) table[{j, random.below(n)}] = 1e-3;
        table[{j, (j + 1) % n}] = 10;
    }
    const SparseMatrix<double> a = from_table(n, table, Symmetry::general);
    AnalysisOptions options = asked(Factorization::lu);
    options.matching = MatchingMode::on;
    const AnalysisResult result = analyze(a, options);
    check_analysis(a, result);
    const Analysis& analysis = *result.analysis;
    CHECK(analysis.report.matched);
    CHECK(analysis.report.structural_rank == n);
    for (index_t k = 0; k < n; ++k) CHECK(analysis.row_order[k] == (analysis.column_order[k] + 1) % n);

    // The user's order is one of columns, whatever the matching does to the rows.
    options.ordering = OrderingMethod::user;
    options.user_order = random_order(n, 1);
    options.amalgamation_zeros = 1e-9;
    const AnalysisResult with_order = analyze(a, options);
    check_analysis(a, with_order);
    CHECK(with_order.analysis->report.ordering == OrderingMethod::user);
    std::vector<index_t> rows_in_order;
    for (index_t c : options.user_order) rows_in_order.push_back((c + 1) % n);
    Edges edges;
    for (const auto& [position, value] : table) edges.emplace_back(position.second, (position.first + 1) % n);
    const BruteForceFill fill = eliminate(graph_of(n, edges), rows_in_order);
    CHECK(with_order.analysis->cost.factor_entries == 2 * fill.factor_entries() - n);
}

TEST_CASE("structurally singular matrices are analysed, their rank reported") {
    EntryTable<double> table;  // columns 3 and 4 have only row 0
    for (index_t i = 0; i < 8; ++i) table[{i, i == 3 || i == 4 ? 0 : i}] = 1.0 + i;
    const SparseMatrix<double> a = from_table(8, table, Symmetry::general);
    AnalysisOptions options = asked(Factorization::lu);
    options.matching = MatchingMode::on;
    const AnalysisResult result = analyze(a, options);
    check_analysis(a, result);
    CHECK(result.analysis->report.structural_rank == 6);
}

TEST_CASE("2x2 candidates of an indefinite matrix stay together") {
    // K = [0 B; B^T 0] with a dominant diagonal in B: all pivots are pairs {i, i + m}.
    const index_t m = 40;
    Random random(5);
    EntryTable<double> table;
    for (index_t j = 0; j < m; ++j) {
        for (int k = 0; k < 2; ++k) table[{j, m + random.below(m)}] = 0.01 * random.value<double>();
        table[{j, m + j}] = 5;
    }
    const SparseMatrix<double> a = from_table(2 * m, table, Symmetry::symmetric);
    AnalysisOptions options = asked(Factorization::automatic);
    options.matching = MatchingMode::on;
    const AnalysisResult result = analyze(a, options);
    check_analysis(a, result);
    const Analysis& analysis = *result.analysis;
    CHECK(analysis.report.pairs == m);
    REQUIRE(analysis.pair_with_next.size() == static_cast<std::size_t>(2 * m));
    index_t pairs = 0;
    for (index_t k = 0; k < 2 * m; ++k) {
        if (!analysis.pair_with_next[k]) continue;
        ++pairs;
        CHECK(std::abs(analysis.row_order[k] - analysis.row_order[k + 1]) == m);
    }
    CHECK(pairs == m);
}

TEST_CASE("empty, single and diagonal matrices") {
    const SparseMatrix<double> empty = diagonal_matrix<double>(0, 1, Symmetry::general);
    for (const Factorization kind : {Factorization::automatic, Factorization::lu}) {
        const AnalysisResult result = analyze(empty, asked(kind));
        check_analysis(empty, result);
        CHECK(result.analysis->tree.fronts.empty());
        CHECK(result.analysis->mapping.subtrees.empty());
        CHECK(result.analysis->cost.flops == 0);
    }
    for (const index_t n : {1, 5000})
        for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
            const SparseMatrix<double> a = diagonal_matrix(n, 2.0, symmetry);
            const AnalysisResult result = analyze(a, asked(Factorization::automatic));
            check_analysis(a, result);
            CHECK(result.analysis->mapping.subtrees.size() == 1);
        }
    EntryTable<double> nothing;  // no entry at all
    const SparseMatrix<double> zero = from_table(4, nothing, Symmetry::general);
    check_analysis(zero, analyze(zero, asked(Factorization::lu)));
}

TEST_CASE("real matrices, those in the folder FROND_MATRICES included") {
    std::vector<std::filesystem::path> folders = {FROND_TEST_DATA};
    const char* more = std::getenv("FROND_MATRICES");
    if (more != nullptr && *more != '\0') folders.emplace_back(more);
    constexpr std::uintmax_t largest_file_bytes = 100000;
    int analysed = 0;
    for (const auto& folder : folders)
        for (const auto& file : std::filesystem::directory_iterator(folder)) {
            const std::string name = file.path().filename().string();
            const bool is_matrix = name.ends_with(".mtx") || name.ends_with(".mtx.gz");
            if (!is_matrix || file.file_size() > largest_file_bytes) continue;
            CAPTURE(name);
            std::visit(
                [&]<class T>(const SparseMatrix<T>& a) {
                    if constexpr (is_built<T>()) {
                        if (a.rows() != a.cols()) {
                            CHECK_THROWS_AS(analyze(a, asked(Factorization::lu)), InvalidMatrix);
                            return;
                        }
                        check_analysis(a, analyze(a, asked(Factorization::automatic)));
                        check_analysis(a, analyze(a, asked(Factorization::lu)));
                        ++analysed;
                    }
                },
                read_matrix(file.path().string()));
        }
    CHECK(analysed >= 5);
}

TEST_CASE("the same input gives the same analysis") {
    const SparseMatrix<double> a = random_grid<double>(40, Symmetry::general, false, 9);
    const AnalysisResult one = analyze(a, asked(Factorization::automatic));
    const AnalysisResult two = analyze(a, asked(Factorization::automatic));
    CHECK(one.analysis->row_order == two.analysis->row_order);
    CHECK(one.analysis->column_order == two.analysis->column_order);
    CHECK(one.analysis->tree.rows == two.analysis->tree.rows);
    CHECK(one.analysis->entry_map.source == two.analysis->entry_map.source);
    CHECK(one.analysis->mapping.subtree_of_front == two.analysis->mapping.subtree_of_front);
    CHECK(one.scaling.row == two.scaling.row);
    CHECK(one.scaling.column == two.scaling.column);
}

TEST_CASE("every number of threads gives the same analysis") {
    const auto check = [](const SparseMatrix<double>& a) {
        AnalysisOptions options = asked(Factorization::automatic);
        options.threads = 1;
        const auto one = analyze(a, options).analysis;
        for (const index_t threads : {2, 3, 8, 17}) {
            CAPTURE(threads);
            options.threads = threads;
            const auto other = analyze(a, options).analysis;
            CHECK(other->report.ordering == one->report.ordering);
            CHECK(other->row_order == one->row_order);
            CHECK(other->column_order == one->column_order);
            CHECK(other->pair_with_next == one->pair_with_next);
            CHECK(other->tree.rows == one->tree.rows);
            CHECK(other->tree.relative_rows == one->tree.relative_rows);
            CHECK(other->entry_map.front_begin == one->entry_map.front_begin);
            CHECK(other->entry_map.source == one->entry_map.source);
            CHECK(other->entry_map.row == one->entry_map.row);
            CHECK(other->entry_map.column == one->entry_map.column);
            CHECK(other->cost.flops == one->cost.flops);
        }
    };
    check(poisson3d<double>(30).matrix);
    check(kkt<double>(20).matrix);
    check(convdiff3d<double>(25).matrix);
}

TEST_CASE("a matrix put together by hand is checked before it is read") {
    SparseMatrix<double> whole;
    whole.pattern = {3, 3, {0, 2, 3, 4}, {0, 2, 1, 2}};
    whole.value = {4, 1, 4, 4};
    whole.symmetry = Symmetry::symmetric;
    REQUIRE_NOTHROW(analyze(whole, AnalysisOptions{}));
    const auto refused = [&whole](auto&& damage) {
        SparseMatrix<double> a = whole;
        damage(a);
        try {
            analyze(a, AnalysisOptions{});
        } catch (const InvalidArgument& error) {
            return std::string(error.what()).find("make it by make_sparse") != std::string::npos;
        }
        return false;
    };
    // The first is read beyond its end unless it is refused; a reallocation makes that visible to sanitizers.
    CHECK(refused([](auto& a) { a.value = {4, 1}; }));
    CHECK(refused([](auto& a) { a.value.push_back(1); }));
    CHECK(refused([](auto& a) { a.pattern.row.pop_back(); }));
    CHECK(refused([](auto& a) { a.pattern.row = {2, 0, 1, 2}; }));
    CHECK(refused([](auto& a) { a.pattern.row = {0, 3, 1, 2}; }));
    CHECK(refused([](auto& a) { a.pattern.row = {0, -1, 1, 2}; }));
    CHECK(refused([](auto& a) { a.pattern.row = {0, 2, 0, 2}; }));
    CHECK(refused([](auto& a) { a.pattern.begin = {0, 3, 2, 4}; }));
    CHECK(refused([](auto& a) { a.pattern.begin = {0, 2, 4}; }));
    CHECK(refused([](auto& a) { a.pattern.begin = {}; }));
}

// SPDX-License-Identifier: BSD-3-Clause
// Null pivots and inertia of real matrices against ranks and eigenvalues computed in other ways.
#include "clear_inertia.hpp"
#include "exact_rank.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "known_ranks.hpp"
#include "random_sparse.hpp"
#include "shared_session.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

namespace fs = std::filesystem;

std::string folder_of_matrices() {
    const char* folder = std::getenv("FROND_MATRICES");
    return folder != nullptr ? folder : "";
}

/// Those of tests/data and of FROND_MATRICES, in order.
std::vector<std::string> files_up_to(std::uintmax_t largest_bytes) {
    std::vector<std::string> files;
    for (const std::string& folder : {std::string(FROND_TEST_DATA), folder_of_matrices()}) {
        if (folder.empty()) continue;
        for (auto it = fs::recursive_directory_iterator(folder); it != fs::end(it); ++it) {
            if (it->path().filename() == "malformed") it.disable_recursion_pending();
            const std::string name = it->path().filename();
            const bool is_matrix = name.ends_with(".mtx") || name.ends_with(".mtx.gz");
            if (it->is_regular_file() && is_matrix && it->file_size() <= largest_bytes) files.push_back(it->path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

FactorReport report_of(const SparseMatrix<double>& a, Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    Solver<double> solver(shared_session(), options);
    return solver.factor(a);
}

index_t nullity(const FactorReport& report) {
    CHECK((report.status == FactorStatus::singular) == !report.pivots.small_columns.empty());
    return static_cast<index_t>(report.pivots.small_columns.size());
}

void check_nullity(const SparseMatrix<double>& a, index_t expected) {
    CHECK(nullity(report_of(a, Factorization::automatic)) == expected);
    if (a.symmetry != Symmetry::general && a.rows() <= 2000)
        CHECK(nullity(report_of(a, Factorization::lu)) == expected);
}

void check_inertia(const SparseMatrix<double>& a, const Inertia& expected) {
    const FactorReport report = report_of(a, Factorization::automatic);
    REQUIRE(report.pivots.inertia);
    CHECK(report.pivots.inertia->negative == expected.negative);
    CHECK(report.pivots.inertia->zero == expected.zero);
    CHECK(report.pivots.inertia->positive == expected.positive);
}

struct Counts {
    int ranks = 0, deficient = 0, inertias = 0, indefinite = 0;
};

void check_matrix(const SparseMatrix<double>& a, Counts& counts) {
    constexpr index_t largest_rows = 7'000;
    if (a.rows() != a.cols() || a.rows() > largest_rows) return;
    if (const std::optional<index_t> rank = exact_rank(a)) {
        ++counts.ranks;
        counts.deficient += *rank < a.rows();
        check_nullity(a, a.rows() - *rank);
    }
    if (const std::optional<Inertia> inertia = clear_inertia(a)) {
        ++counts.inertias;
        counts.indefinite += inertia->negative > 0 && inertia->positive > 0;
        check_inertia(a, *inertia);
    }
}

/// G H with integers, G of `rank` columns.
SparseMatrix<double> of_rank(index_t n, index_t rank) {
    SparseMatrix<double> a;
    a.pattern.rows = a.pattern.cols = n;
    a.pattern.begin = {0};
    for (index_t j = 0; j < n; ++j) {
        for (index_t i = 0; i < n; ++i) {
            double sum = 0;
            for (index_t k = 0; k < rank; ++k)
                sum += (i * i * (k + 1) + 3 * i + k) % 11 * ((j * j * (2 * k + 1) + j + k) % 13 - 6);
            if (sum == 0) continue;
            a.pattern.row.push_back(i);
            a.value.push_back(sum);
        }
        a.pattern.begin.push_back(static_cast<count_t>(a.value.size()));
    }
    return a;
}

}  // namespace

TEST_CASE("the oracles: integers modulo 2^61 - 1, ranks and inertia that are known") {
    const Modular a = Modular::of(123456789.0), b = Modular::of(-987654321.0);
    CHECK((a * a.inverse()).value == 1);
    CHECK((b * b.inverse()).value == 1);
    CHECK((b + Modular::of(987654321.0)).value == 0);
    CHECK((Modular{Modular::prime - 1} * Modular{Modular::prime - 1}).value == 1);
    for (const index_t rank : {0, 1, 4, 9}) CHECK(exact_rank(of_rank(40, rank)) == rank);
    CHECK_FALSE(exact_rank(of_rank(40, 9), 10).has_value());
    const auto grid = poisson2d<double>(12).matrix;
    CHECK(exact_rank(grid) == 144);
    const std::optional<Inertia> definite = clear_inertia(grid);
    REQUIRE(definite);
    CHECK(definite->positive == 144);
    SparseMatrix<double> half = grid;
    half.value[0] = 0.5;
    CHECK_FALSE(exact_rank(half).has_value());
}

TEST_CASE("small matrices from files: rank by exact elimination, inertia by all eigenvalues") {
    Counts counts;
    constexpr std::uintmax_t quick_to_read_bytes = 200'000;
    for (const std::string& file : files_up_to(quick_to_read_bytes)) {
        CAPTURE(file);
        const AnyMatrix any = read_matrix(file);
        if (const auto* a = std::get_if<SparseMatrix<double>>(&any)) check_matrix(*a, counts);
    }
    MESSAGE(counts.ranks, " ranks, ", counts.inertias, " inertias");
    CHECK(counts.ranks >= 3);
    CHECK(counts.deficient >= 3);
    CHECK(counts.inertias >= 4);
    CHECK(counts.indefinite >= 1);
}

TEST_CASE("columns that must be null are not carried from front to front") {
    // (0 B; B^T 0), B the incidence matrix of a grid graph: of rank vertices - 1.
    constexpr index_t side = 40, vertices = side * side, edges = 2 * side * (side - 1);
    EntryTable<double> table;
    index_t edge = vertices;
    for (index_t v = 0; v < vertices; ++v) {
        if (v % side + 1 < side) table[{v, edge}] = 1, table[{v + 1, edge++}] = -1;
        if (v + side < vertices) table[{v, edge}] = 1, table[{v + side, edge++}] = -1;
    }
    const auto a = from_table(vertices + edges, table, Symmetry::symmetric);
    AnalysisOptions options;
    options.factorization = Factorization::ldlt;
    Solver<double> solver(shared_session(), options);
    const FactorReport report = solver.factor(a);
    REQUIRE(report.pivots.inertia.has_value());
    CHECK(report.pivots.inertia->negative == vertices - 1);
    CHECK(report.pivots.inertia->zero == edges - vertices + 2);
    CHECK(report.pivots.inertia->positive == vertices - 1);
    CHECK(report.pivots.delayed < 2 * edges);
    CHECK(report.memory.factor_entries < 2 * solver.analysis()->cost.factor_entries);
}

TEST_CASE("known ranks") {
    int found = 0;
    for (const std::string& file : files_up_to(std::numeric_limits<std::uintmax_t>::max())) {
        const auto expected = known_nullity(fs::path(file).filename());
        if (!expected) continue;
        ++found;
        CAPTURE(file);
        const auto a = std::get<SparseMatrix<double>>(read_matrix(file));
        CHECK(nullity(report_of(a, Factorization::automatic)) == *expected);
    }
    MESSAGE(found, " of ", std::size(known_nullities), " matrices there");
    CHECK(found > (folder_of_matrices().empty() ? 0 : 1));
}

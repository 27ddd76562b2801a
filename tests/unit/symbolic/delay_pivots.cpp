// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/delay_pivots.hpp"
#include "brute_force_symbolic.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"
#include "random_order.hpp"
#include "random_sparse.hpp"
#include "test_graphs.hpp"
#include "tree_checks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

SparseMatrix<double> random_matrix(index_t n, Symmetry symmetry, std::uint64_t seed) {
    Random random(seed);
    EntryTable<double> table;
    for (index_t j = 0; j < n; ++j) {
        table[{j, j}] = 4;
        for (index_t e = 0; e < 2; ++e) {
            const index_t i = random.below(n);
            if (i >= j || symmetry == Symmetry::general) table[{j, i}] = random.value<double>();
        }
    }
    return from_table(n, table, symmetry);
}

AnalysisResult analysed(const SparseMatrix<double>& a, Factorization kind, index_t threads = 2) {
    AnalysisOptions options;
    options.factorization = kind;
    options.workers = threads;
    return analyze(a, options);
}

std::vector<index_t> front_of_columns(const AssemblyTree& tree) {
    std::vector<index_t> front;
    for (index_t f = 0; f < tree.front_count(); ++f) front.insert(front.end(), tree.fronts[f].npiv, f);
    return front;
}

/// Some columns, each to an ancestor of its front, now and then to its own front; L U: with any row of its front.
std::vector<DelayedPivot> random_delays(const AssemblyTree& tree, bool general, std::uint64_t seed) {
    Random random(seed);
    const std::vector<index_t> front_of = front_of_columns(tree);
    std::vector<DelayedPivot> delays;
    for (index_t k = 0; k < tree.order; ++k) {
        if (random.below(4) != 0) continue;
        index_t f = front_of[k];
        for (index_t up = random.below(4); up > 0 && tree.fronts[f].parent >= 0; --up) f = tree.fronts[f].parent;
        delays.push_back({k, k, f});
    }
    for (std::size_t i = 1; general && i < delays.size(); ++i) {  // rows change places inside a front
        DelayedPivot& before = delays[i - 1];
        if (front_of[before.column] == front_of[delays[i].column] && random.below(2) == 0)
            std::swap(before.row, delays[i].row);
    }
    std::set<index_t> gone;
    for (const DelayedPivot& d : delays) gone.insert(d.row);
    for (DelayedPivot& d : delays) {  // or one that no column has
        const Front& front = tree.fronts[front_of[d.column]];
        const index_t row = front.first_column + random.below(front.npiv);
        if (general && random.below(2) == 0 && gone.insert(row).second) gone.erase(std::exchange(d.row, row));
    }
    return delays;
}

/// What the elimination of the rows and columns of each position fills in lies in the fronts.
std::string wrong_structure(const SparseMatrix<double>& a, const Analysis& analysis) {
    std::vector<index_t> vertex_of_column(a.cols());
    for (index_t k = 0; k < a.cols(); ++k) vertex_of_column[analysis.column_order[k]] = analysis.row_order[k];
    Pattern by_vertices;  // columns renamed to the rows they are matched to
    by_vertices.rows = by_vertices.cols = a.cols();
    std::vector<std::set<index_t>> rows(a.cols());
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e)
            rows[vertex_of_column[j]].insert(a.pattern.row[e]);
    by_vertices.begin.push_back(0);
    for (const auto& column : rows) {
        by_vertices.row.insert(by_vertices.row.end(), column.begin(), column.end());
        by_vertices.begin.push_back(static_cast<count_t>(by_vertices.row.size()));
    }
    const BruteForceFill fill = eliminate(symmetrized_graph(by_vertices), analysis.row_order);
    const AssemblyTree& tree = analysis.tree;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[f];
        std::set<index_t> have;
        for (index_t local = 0; local < front.nfront; ++local) have.insert(position_of(tree, f, local));
        for (index_t k = front.first_column; k < front.first_column + front.npiv; ++k)
            if (!std::includes(have.begin(), have.end(), fill.rows[k].begin(), fill.rows[k].end()))
                return test::at("column structure", k);
    }
    return "";
}

/// Other entries, or in another order, than if they were placed anew.
std::string wrong_entries(const SparseMatrix<double>& a, const Analysis& analysis) {
    const EntryMap anew = map_entries(a.pattern, analysis.symmetry, analysis.row_order, analysis.column_order,
                                      analysis.tree, analysis.factorization, 1);
    if (anew.front_begin != analysis.entry_map.front_begin) return "begin of a front";
    if (anew.source != analysis.entry_map.source) return "entry";
    return anew.row == analysis.entry_map.row && anew.column == analysis.entry_map.column ? "" : "place of an entry";
}

void check_delayed(const SparseMatrix<double>& a, const Analysis& given, const Analysis& delayed) {
    REQUIRE(is_permutation_of(delayed.row_order, a.cols()));
    REQUIRE(is_permutation_of(delayed.column_order, a.cols()));
    if (given.factorization != Factorization::lu) REQUIRE(delayed.row_order == delayed.column_order);
    REQUIRE(wrong_shape(delayed.tree) == "");
    REQUIRE(wrong_relative_rows(delayed.tree) == "");
    REQUIRE(wrong_mapping(delayed.tree, delayed.mapping, delayed.pair_with_next) == "");
    REQUIRE(wrong_structure(a, delayed) == "");
    REQUIRE(delayed.entry_map.source.size() == given.entry_map.source.size());
    const CostModel cost = predict_costs(delayed.tree, delayed.factorization);
    REQUIRE(cost.factor_entries == delayed.cost.factor_entries);
}

}  // namespace

TEST_CASE("pivots delayed at random leave an analysis of the same matrix") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        const bool general = seed % 2 == 0;
        const auto n = static_cast<index_t>(1 + 7 * (seed % 23));
        const SparseMatrix<double> a = random_matrix(n, general ? Symmetry::general : Symmetry::symmetric, seed);
        const AnalysisResult given = analysed(a, general ? Factorization::lu : Factorization::ldlt);
        const auto delays = random_delays(given.analysis->tree, general, seed);
        const Analysis once = delay_pivots(*given.analysis, delays);
        check_delayed(a, *given.analysis, once);
        const Analysis twice = delay_pivots(once, random_delays(once.tree, general, seed + 1));
        check_delayed(a, *given.analysis, twice);
    }
}

TEST_CASE("fronts split at random leave an analysis of the same matrix, whose pivots may be delayed") {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        CAPTURE(seed);
        const bool general = seed % 2 == 0;
        const auto n = static_cast<index_t>(1 + 7 * (seed % 23));
        const SparseMatrix<double> a = random_matrix(n, general ? Symmetry::general : Symmetry::symmetric, seed);
        const AnalysisResult given = analysed(a, general ? Factorization::lu : Factorization::ldlt);
        Random random(seed);
        const auto columns = [&random](index_t npiv, index_t) { return 1 + random.below(npiv); };
        const Analysis split = split_fronts(*given.analysis, columns);
        check_delayed(a, *given.analysis, split);
        REQUIRE(wrong_entries(a, split) == "");
        REQUIRE(split.row_order == given.analysis->row_order);
        REQUIRE(split.pair_with_next == given.analysis->pair_with_next);
        check_delayed(a, *given.analysis, delay_pivots(split, random_delays(split.tree, general, seed + 1)));
    }
}

TEST_CASE("a chain of fronts has the columns that were asked for") {
    const SparseMatrix<double> a = random_matrix(120, Symmetry::general, 5);
    const AnalysisResult given = analysed(a, Factorization::lu);
    const auto columns = [](index_t npiv, index_t nfront) { return nfront > 20 ? std::min<index_t>(npiv, 6) : npiv; };
    const Analysis split = split_fronts(*given.analysis, columns);
    CHECK(split.tree.front_count() > given.analysis->tree.front_count());
    for (const Front& front : split.tree.fronts) CHECK((front.npiv <= 6 || front.nfront <= 20));
    const auto all = [](index_t npiv, index_t) { return npiv; };
    CHECK(split_fronts(*given.analysis, all).tree.rows == given.analysis->tree.rows);
    CHECK_THROWS_AS(split_fronts(*given.analysis, [](index_t, index_t) { return 0; }), InvalidArgument);
}

TEST_CASE("delayed columns are the last of the front they go to, in their old order") {
    const SparseMatrix<double> a = random_matrix(90, Symmetry::symmetric, 5);
    const AnalysisResult given = analysed(a, Factorization::ldlt);
    const AssemblyTree& tree = given.analysis->tree;
    const index_t root = tree.front_count() - 1;
    std::vector<DelayedPivot> all;
    for (index_t k = 0; k < tree.fronts[0].npiv; ++k) all.push_back({k, k, 0});
    index_t to = 0;
    while (tree.fronts[to].parent >= 0) to = tree.fronts[to].parent;
    for (DelayedPivot& d : all) d.front = to;
    const Analysis delayed = delay_pivots(*given.analysis, all);
    CHECK(delayed.tree.front_count() == tree.front_count() - 1);  // the first front has lost its columns
    const Front& at_end = delayed.tree.fronts[to - 1];
    const auto count = static_cast<index_t>(all.size());
    REQUIRE(at_end.npiv == tree.fronts[to].npiv + count);
    for (index_t k = 0; k < count; ++k)
        CHECK(delayed.column_order[at_end.first_column + at_end.npiv - count + k] == given.analysis->column_order[k]);
    CHECK(root >= to);
}

TEST_CASE("what cannot be delayed is refused by name") {
    const SparseMatrix<double> a = random_matrix(60, Symmetry::symmetric, 3);
    const AnalysisResult given = analysed(a, Factorization::ldlt);
    const auto refusal = [&](const std::vector<DelayedPivot>& delays) -> std::string {
        try {
            delay_pivots(*given.analysis, delays);
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "";
    };
    const AssemblyTree& tree = given.analysis->tree;
    const index_t last = tree.fronts.back().first_column;
    CHECK(refusal({{0, 0, 0}}).empty());
    CHECK(refusal({{60, 60, 0}}).find("column 60") != std::string::npos);
    CHECK(refusal({{-1, -1, 0}}).find("column -1") != std::string::npos);
    CHECK(refusal({{0, 0, 0}, {0, 0, 0}}).find("twice") != std::string::npos);
    CHECK(refusal({{last, last, 0}}).find("front 0") != std::string::npos);  // below its own
    CHECK(refusal({{0, 0, tree.front_count()}}).find("not above") != std::string::npos);
    CHECK(refusal({{last, 0, 0}}).find("symmetric") != std::string::npos);
}

// SPDX-License-Identifier: BSD-3-Clause
// Where the columns of failed pivots go. No device is needed: the marks are made up.
#include "frond/frond.hpp"
#include "hard_systems.hpp"
#include "submit/whole_tree/failed_pivots.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace frond;
using namespace frond::test;
using detail::FailedPivots;
using gpu::FailedPivot;

namespace {

/// A path whose fronts follow each other: front f + 1 is the parent of front f.
struct Path {
    SparseMatrix<double> a = troubled_tips<double>(80, 200, Symmetry::symmetric, 4);
    FailedPivots failed{analysed(a)};

    static std::shared_ptr<const Analysis> analysed(const SparseMatrix<double>& a) {
        AnalysisOptions options;
        options.factorization = Factorization::ldlt;
        options.ordering = OrderingMethod::natural;
        options.matching = MatchingMode::off;
        options.scaling = ScalingMethod::none;
        options.amalgamation_zeros = 1e-6;
        return analyze(a, options).analysis;
    }

    const AssemblyTree& tree() const { return failed.analysis()->tree; }
    index_t position_of(index_t vertex) const {
        const auto& order = failed.analysis()->column_order;
        return static_cast<index_t>(std::find(order.begin(), order.end(), vertex) - order.begin());
    }
    index_t front_of(index_t vertex) const {
        index_t f = 0;
        while (position_of(vertex) >= tree().fronts[f].first_column + tree().fronts[f].npiv) ++f;
        return f;
    }
    /// Vertices that share a front with this one.
    index_t columns_beside(index_t vertex) const { return tree().fronts[front_of(vertex)].npiv - 1; }

    FailedPivot pivot(index_t vertex, index_t partner_vertex = -1, bool was_excluded = true) const {
        const index_t k = position_of(vertex);
        return {k, k, partner_vertex < 0 ? -1 : position_of(partner_vertex), was_excluded};
    }
    std::string delay(std::vector<FailedPivot> pivots) {
        std::sort(pivots.begin(), pivots.end(), [](auto& x, auto& y) { return x.column < y.column; });
        return failed.mend(pivots);
    }
};

}  // namespace

TEST_CASE("a column goes to the front where its partner is a pivot row") {
    Path path;
    REQUIRE(path.tree().front_count() > 60);
    CHECK(path.delay({path.pivot(3, 30)}).empty());
    CHECK(path.front_of(3) == path.front_of(30));
    CHECK(path.position_of(3) > path.position_of(30));
    CHECK(path.failed.delayed() == 27);
    CHECK(path.failed.given()->tree.front_count() == path.tree().front_count() + 1);  // its own front is gone
}

TEST_CASE("without a partner it goes up one front, then two, then four") {
    Path path;
    for (const index_t beside : {4, 6, 10}) {
        CHECK(path.delay({path.pivot(3)}).empty());
        CHECK(path.front_of(3) == path.front_of(beside));
    }
    CHECK(path.failed.delayed() == 7);
}

TEST_CASE("where the partner is in its own front it goes behind the others once, then up") {
    Path path;
    CHECK(path.delay({path.pivot(3, 30), path.pivot(4, 30)}).empty());
    CHECK(path.delay({path.pivot(3, 4)}).empty());
    CHECK(path.front_of(3) == path.front_of(30));
    CHECK(path.position_of(3) > path.position_of(4));
    CHECK(path.delay({path.pivot(3, 4)}).empty());
    CHECK(path.front_of(3) == path.front_of(31));
}

TEST_CASE("L U searches a front with more rows than a diagonal block before columns move") {
    SystemBuilder<double> builder(41, Symmetry::general);
    for (index_t j = 1; j < 41; ++j)
        for (index_t i = j; i < 41; ++i) builder.couple(i, j, i == j ? 4 : 0.1);
    builder.couple(0, 0, 1);
    builder.couple(1, 0, 1);
    AnalysisOptions options;
    options.factorization = Factorization::lu;
    options.ordering = OrderingMethod::natural;
    options.matching = MatchingMode::off;
    options.amalgamation_zeros = 1e-6;
    FailedPivots failed(analyze(builder.matrix(), options).analysis);
    const auto given = failed.analysis();
    const index_t first = given->tree.fronts.back().first_column;
    REQUIRE(given->tree.front_count() > 1);
    REQUIRE(given->tree.fronts.back().npiv > 32);
    std::vector<char> root_alone(given->tree.fronts.size(), 0);
    root_alone.back() = 1;
    CHECK(failed.searched_fronts().empty());
    CHECK(failed.mend({{first + 5, first + 5, first + 35, false}}).empty());
    CHECK(failed.analysis() == given);
    CHECK(failed.searched_fronts() == root_alone);
    CHECK(failed.newly_searched() == root_alone);
    CHECK(!failed.is_only_split());
    CHECK(failed.delayed() == 0);
    const index_t column = given->column_order[first + 5];
    CHECK(failed.mend({{first + 5, first + 5, first + 35, false}}).empty());
    CHECK(failed.analysis()->column_order.back() == column);
    CHECK(failed.searched_fronts() == root_alone);
    CHECK(failed.newly_searched() == std::vector<char>(root_alone.size(), 0));
    // A front of few columns: the block has been all of it.
    CHECK(failed.mend({{0, 0, first + 2, false}}).empty());
    CHECK(failed.searched_fronts().size() == failed.analysis()->tree.fronts.size());
    CHECK(failed.delayed() > 0);
}

TEST_CASE("above a pivot that was used although it failed, what fails for the same row is not believed") {
    Path path;
    CHECK(path.delay({path.pivot(3, 30, false), path.pivot(20, 30), path.pivot(22, 40), path.pivot(30, 50)}).empty());
    CHECK(path.front_of(3) == path.front_of(30));
    CHECK(path.columns_beside(20) == 0);
    CHECK(path.front_of(22) == path.front_of(40));
    CHECK(path.columns_beside(30) == 1);  // the row itself; column 3 has come
    CHECK(path.delay({path.pivot(20, 30)}).empty());  // nothing below it failed
    CHECK(path.front_of(20) == path.front_of(30));
}

TEST_CASE("without a partner a column is not believed where anything failed below") {
    Path path;
    CHECK(path.delay({path.pivot(3, -1, false), path.pivot(20)}).empty());
    CHECK(path.columns_beside(20) == 0);
    CHECK(path.front_of(3) == path.front_of(4));
    CHECK(path.delay({path.pivot(3, -1, true), path.pivot(20)}).empty());  // excluded: nothing of it is above
    CHECK(path.front_of(20) == path.front_of(21));
}

TEST_CASE("what leads nowhere is said, and the analysis stays") {
    Path path;
    const auto before = path.failed.analysis();
    CHECK(path.delay({}).find("no numbers") != std::string::npos);
    std::vector<FailedPivot> many;
    for (index_t v = 0; v < 30; ++v) many.push_back(path.pivot(v));
    CHECK(path.delay(many).find("30 of 80") != std::string::npos);
    CHECK(path.failed.analysis() == before);
    CHECK(path.failed.delayed() == 0);
    for (int times = 0; times < 4; ++times) CHECK(path.delay({path.pivot(79)}).empty());
    const auto at_last = path.failed.analysis();
    CHECK(path.delay({path.pivot(79)}).find("column 79") != std::string::npos);
    CHECK(path.failed.analysis() == at_last);
    CHECK(path.failed.given() == before);
}

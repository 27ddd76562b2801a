// SPDX-License-Identifier: BSD-3-Clause
// Each stage of the matching keeps the duals feasible and the matched entries tight, whatever ran
// before it; the order in which maximum_product_matching calls them is one of many.
#include "../../../analysis/scaling/matching/augmenting_paths.hpp"
#include "../../../analysis/scaling/matching/dual_matching.hpp"
#include "matching_oracle.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

constexpr double tolerance = 1e-10;  // log2; DualMatching::tight is 9e-13 a step

void check_invariants(DualMatching& m) {
    double worst_slack = 0, worst_matched = 0;
    index_t free_columns = 0, wrong = 0;
    for (index_t j = 0; j < m.a.cols; ++j) {
        if (m.matched(j) == DualMatching::free_column) ++free_columns;
        if (m.matched(j) >= 0 && m.row_at(m.matched(j)).column != j) ++wrong;
        for (count_t e = m.begin(j); e < m.end(j); ++e) {
            if (m.matched(j) < 0) continue;
            const double slack = m.cost_of(e) - m.row_at(e).dual - m.dual_of_column(j);
            if (m.row_at(e).dual == -std::numeric_limits<double>::infinity()) continue;
            worst_slack = std::min(worst_slack, slack);
            if (e == m.matched(j)) worst_matched = std::max(worst_matched, std::abs(slack));
        }
    }
    CHECK(wrong == 0);
    CHECK(free_columns == m.free_count);
    CHECK(worst_slack >= -tolerance);
    CHECK(worst_matched <= tolerance);
}

struct Prepared {
    Magnitudes a;
    index_t rank;
};

/// Nonsingular and singular, spread and tied values, symmetric and not.
std::vector<Prepared> matrices() {
    std::vector<Prepared> list;
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        const double spread = seed % 4 == 0 ? 0 : 10;
        const auto per_column = static_cast<index_t>(2 + seed % 5);
        Magnitudes a = sparse_magnitudes(400, per_column, spread, seed % 2 == 0, 500 + seed);
        const index_t rank = PlainMatching(a).size();
        list.push_back({std::move(a), rank});
    }
    return list;
}

}  // namespace

TEST_CASE("searches alone reach the rank") {
    for (const Prepared& p : matrices()) {
        DualMatching m(p.a.pattern, p.a.magnitude);
        start_matching(m);
        check_invariants(m);
        CHECK(AugmentingPaths(m).run(p.a.pattern.entries(), 1e300));
        check_invariants(m);
        CHECK(m.free_count == 0);
        CHECK(m.a.cols - static_cast<index_t>(m.block_end.size()) == p.rank);
    }
}

TEST_CASE("bidding, then steps from all free columns, then searches") {
    for (const Prepared& p : matrices()) {
        DualMatching m(p.a.pattern, p.a.magnitude);
        start_matching(m);
        bid_for_rows(m);
        check_invariants(m);
        augment_along_tight_entries(m);
        check_invariants(m);
        for (int step = 0; step < 3; ++step) {
            const index_t before = m.free_count;
            const index_t gained = raise_duals_from_all_free_columns(m);
            CHECK(gained == before - m.free_count);
            check_invariants(m);
        }
        AugmentingPaths(m).run(p.a.pattern.entries(), 1e300);
        check_invariants(m);
        CHECK(m.a.cols - static_cast<index_t>(m.block_end.size()) == p.rank);
    }
}

TEST_CASE("a run that gives up leaves a state that the other stages take over") {
    index_t gave_up = 0;
    for (const Prepared& p : matrices()) {
        DualMatching m(p.a.pattern, p.a.magnitude);
        start_matching(m);
        gave_up += !AugmentingPaths(m).run(50, 0);
        check_invariants(m);
        bid_for_rows(m);
        check_invariants(m);
        raise_duals_from_all_free_columns(m);
        check_invariants(m);
        AugmentingPaths(m).run(p.a.pattern.entries(), 1e300);
        CHECK(m.a.cols - static_cast<index_t>(m.block_end.size()) == p.rank);
        make_buried_blocks_feasible(m);
        check_invariants(m);
        for (const auto& row : m.rows) CHECK(std::isfinite(row.dual));
    }
    CHECK(gave_up > 8);
}

TEST_CASE("steps from all free columns alone reach a perfect matching") {
    const Magnitudes a = random_magnitudes(60, 1, 8, false, 77);
    DualMatching m(a.pattern, a.magnitude);
    start_matching(m);
    for (int step = 0; step < 60 && m.free_count > 0; ++step) {
        CHECK(raise_duals_from_all_free_columns(m) > 0);
        check_invariants(m);
    }
    CHECK(m.free_count == 0);
}

TEST_CASE("bidding leaves the dual value within epsilon a column of the optimum") {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Magnitudes a = random_magnitudes(60, 1, 8, false, 800 + seed);
        const Matching best = maximum_product_matching(a.pattern, a.magnitude);
        REQUIRE(best.structural_rank == 60);
        DualMatching m(a.pattern, a.magnitude);
        start_matching(m);
        const auto dual_value = [&m] {
            double sum = 0;
            for (index_t j = 0; j < m.a.cols; ++j) sum += m.dual_of_column(j) + m.row(j).dual;
            return sum;
        };
        const double optimum = -check_duals(a, best).log_product;
        CHECK(dual_value() < optimum - 1);  // the start alone is not as good
        bid_for_rows(m);
        CHECK(dual_value() <= optimum + tolerance);
        CHECK(dual_value() >= optimum - 60.0 / 128);  // the last round bids with 1/128
    }
}

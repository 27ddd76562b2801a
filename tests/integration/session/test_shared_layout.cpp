// SPDX-License-Identifier: BSD-3-Clause
// Which rank has which entries of a vector before and after a solve that several ranks share. No rank but this is needed.
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "forced_mapping.hpp"
#include "random_sparse.hpp"
#include "substitution/tree/solve_layout.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <set>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t ranks = 3;

/// A tree on tiles, owners and second passes at random.
struct RandomShare {
    explicit RandomShare(std::uint64_t seed) {
        Random random(seed);
        AnalysisOptions options;
        options.factorization = Factorization::lu;
        options.ordering = OrderingMethod::nested_dissection;
        options.amalgamation_zeros = 1e-9;
        const auto a = poisson2d<double>(11).matrix;
        analysis = remapped(*analyze(a, options).analysis, {"tiles above subtrees", 8, seed % 2 == 0 ? 0 : 12});
        units = detail::plan_units(*analysis);
        dealt->ranks = ranks;
        dealt->grid.resize(static_cast<std::size_t>(analysis->tree.front_count()));
        index_t front = 0;
        for (const detail::PlannedUnit& unit : units) {
            const index_t rank = random.below(ranks);
            for (; front <= unit.front; ++front) dealt->grid[static_cast<std::size_t>(front)].rank = {rank};
        }
        for (const detail::PlannedUnit& unit : units) {
            if (unit.subtree >= 0 || random.below(2) == 0) continue;
            std::set<index_t> positions;
            for (index_t k = random.below(8); k >= 0; --k) positions.insert(random.below(unit.end_column));
            named.push_back({unit.front, {positions.begin(), positions.end()}});
        }
    }
    std::vector<index_t> owners() const {
        std::vector<index_t> owner;
        for (const detail::PlannedUnit& unit : units)
            owner.resize(static_cast<std::size_t>(unit.end_column), share.owner(unit.front));
        return owner;
    }

    std::shared_ptr<const Analysis> analysis;
    std::vector<detail::PlannedUnit> units;
    std::shared_ptr<RankMapping> dealt = std::make_shared<RankMapping>();
    detail::TreeShare share{dealt};
    std::vector<detail::SecondPassPositions> named;
};

/// The rank that has each position; each has exactly one.
std::vector<index_t> rank_of_positions(const detail::SolveLayout& layout, index_t n) {
    std::vector<double> number(static_cast<std::size_t>(n));
    std::iota(number.begin(), number.end(), 0.0);
    std::vector<index_t> rank(static_cast<std::size_t>(n), -1);
    for (index_t r = 0; r < ranks; ++r) {
        const auto own = layout.pack(r, DenseView<const double>{number.data(), n, 1, n});
        CHECK(static_cast<count_t>(own.size()) == layout.positions(r));
        for (const double position : own) {
            CHECK(rank[static_cast<std::size_t>(position)] == -1);
            rank[static_cast<std::size_t>(position)] = r;
        }
    }
    return rank;
}

}  // namespace

TEST_CASE("each position is with its owner, or with the last rank whose second pass names it") {
    std::size_t routes = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const RandomShare random(seed);
        const std::vector<index_t> owners = random.owners();
        const auto n = static_cast<index_t>(owners.size());
        std::vector<index_t> holder = owners;
        std::size_t next = 0;
        const detail::PositionRoutes all = detail::position_routes(random.units, random.share, random.named);
        for (const detail::SecondPassPositions& list : random.named) {
            const index_t destination = random.share.owner(list.front);
            for (; next < all.routes.size(); ++next) {
                const detail::PositionRoute& route = all.routes[next];
                if (random.units[static_cast<std::size_t>(route.unit)].front != list.front) break;
                CHECK(route.destination == destination);
                CHECK(route.source != destination);
                for (const index_t s : route.positions) {
                    CHECK(holder[static_cast<std::size_t>(s)] == route.source);
                    holder[static_cast<std::size_t>(s)] = destination;
                }
            }
            for (const index_t s : list.positions) CHECK(holder[static_cast<std::size_t>(s)] == destination);
        }
        CHECK(next == all.routes.size());
        routes += next;
        const auto check = [&](SolvePart part, const std::vector<index_t>& before, const std::vector<index_t>& after) {
            const auto layouts = detail::solve_layouts(*random.analysis, random.share, random.named, part);
            CHECK(rank_of_positions(layouts.before, n) == before);
            CHECK(rank_of_positions(layouts.after, n) == after);
        };
        check(SolvePart::all, owners, owners);
        check(SolvePart::forward, owners, holder);
        check(SolvePart::diagonal, holder, holder);
        check(SolvePart::backward, holder, owners);
    }
    CHECK(routes > 50);
}

TEST_CASE("what one rank packs another unpacks, in several columns; other numbers of values are refused") {
    const RandomShare random(5);
    const auto n = static_cast<index_t>(random.owners().size());
    const auto layouts = detail::solve_layouts(*random.analysis, random.share, random.named, SolvePart::forward);
    std::vector<double> x(static_cast<std::size_t>(n) * 3), y(x.size(), -1);
    std::iota(x.begin(), x.end(), 0.0);
    for (index_t r = 0; r < ranks; ++r) {
        const auto values = layouts.after.pack(r, DenseView<const double>{x.data(), n, 3, n});
        layouts.after.unpack<double>(r, values, DenseView<double>{y.data(), n, 3, n});
    }
    CHECK(x == y);
    const std::vector<double> long_one(static_cast<std::size_t>(layouts.after.positions(0)) * 3 + 1);
    CHECK_THROWS_AS(layouts.after.unpack<double>(0, long_one, DenseView<double>{y.data(), n, 3, n}), InvalidArgument);
}

// SPDX-License-Identifier: BSD-3-Clause
// What cuts of a tree are expected to cost, and that the cheapest one is taken.
#include "factor/cut/cut_tree.hpp"
#include "factor/cut/square_sizes.hpp"
#include "factor/tree_launches.hpp"
#include "random_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// A tree of a root, and its child with 24 pivots and a contribution block of order 16: two levels, one step each.
AssemblyTree two_fronts() {
    AssemblyTree tree;
    tree.order = 40;
    tree.fronts.resize(2);
    tree.fronts[0].npiv = 24;
    tree.fronts[0].nfront = 40;
    tree.fronts[0].parent = 1;
    tree.fronts[1].first_column = 24;
    tree.fronts[1].npiv = tree.fronts[1].nfront = 16;
    tree.fronts[1].parent = -1;
    add_children(tree);
    return tree;
}

/// In one piece, or in one for each front.
gpu::PieceCut cut_of(const AssemblyTree& tree, bool whole, count_t scalars_of_saved) {
    std::vector<gpu::SubtreePlan::Range> ranges{{0, 0}, {1, 1}};
    if (whole) ranges = {{0, 1}};
    gpu::SubtreePlan plan(tree, ranges);
    gpu::SavedBlocks saved(tree, plan, {scalars_of_saved});
    return {plan, saved, !whole};
}

constexpr double levels = 2 * 1.0, launches = 2 * (gpu::launches_of_level + gpu::launches_of_step) * 0.125;
/// A level takes 1 s, a kernel 1/8 s, the link has 8 bytes/s, a solve reads 64 bytes/s on the device and 16 on cores.
constexpr gpu::CutCosts costs{1, 0.125, 8, 64, 16, 8};

/// With which levels and bytes of such small trees weigh about as much, and a solve on cores as much as some levels.
constexpr gpu::CutCosts costs_of_both{1, 0.01, 1e4, 1e6, 1e5, 8};

/// The most squares of one subtree.
count_t most_squares(const Analysis& analysis) {
    const std::vector<count_t> scalars = gpu::scalars_of_subtrees(analysis.tree);
    return *std::max_element(scalars.begin(), scalars.end());
}

gpu::CutCosts of_levels_alone() { return {1, 0, std::numeric_limits<double>::infinity(), 1e30, 1e30, 8}; }
gpu::CutCosts of_bytes_alone() { return {0, 0, 8, 1e30, 1e30, 8}; }

}  // namespace

TEST_CASE("levels, kernels and the reading of factors") {
    const Analysis analysis = analysis_of(two_fronts());
    const count_t factors = 40 * 24 + 24 * 16 + 16 * 16;  // L and U of the child, the root
    const double solve = 2 * factors * 8 / 64.0;
    const gpu::CutSeconds seconds = gpu::seconds_of_cut(analysis, cut_of(analysis.tree, true, 0), 1'000'000, costs);
    CHECK(seconds.factorization == levels + launches);
    CHECK(seconds.solve == solve);
}

TEST_CASE("factors without room go to the host, where cores solve with them") {
    const Analysis analysis = analysis_of(two_fronts());
    const count_t factors = 40 * 24 + 24 * 16 + 16 * 16;
    const gpu::PieceCut cut = cut_of(analysis.tree, true, 0);
    const count_t room = cut.plan.square_scalars(0) + factors - 100;
    CHECK(gpu::factors_without_room(analysis, cut, room) == std::vector<count_t>{100});
    CHECK(gpu::factors_without_room(analysis, cut, room + 100) == std::vector<count_t>{0});
    CHECK(gpu::factors_without_room(analysis, cut, 0) == std::vector<count_t>{factors});
    const double solve = 2 * factors * 8 / 16.0;
    const gpu::CutSeconds seconds = gpu::seconds_of_cut(analysis, cut, room, costs);
    CHECK(seconds.factorization == levels + launches + 100);
    CHECK(seconds.solve == solve);
}

TEST_CASE("blocks saved on the host go there and back, the lower half of symmetric ones") {
    Analysis analysis = analysis_of(two_fronts());
    const gpu::PieceCut on_device = cut_of(analysis.tree, false, 1000), on_host = cut_of(analysis.tree, false, 0);
    REQUIRE(on_host.saved.host_traffic() == 16 * 16);
    for (const Factorization kind : {Factorization::lu, Factorization::llt, Factorization::ldlt}) {
        analysis.factorization = kind;
        const double more = gpu::seconds_of_cut(analysis, on_host, 1'000'000, costs).factorization -
                            gpu::seconds_of_cut(analysis, on_device, 1'000'000, costs).factorization;
        CHECK(more == (kind == Factorization::lu ? 2 : 1) * 16 * 16);
    }
}

TEST_CASE("the upper triangle of a symmetric front has its place, but is not written") {
    Analysis analysis = analysis_of(two_fronts());
    analysis.factorization = Factorization::llt;
    const count_t places = 40 * 24 + 16 * 16, upper = 24 * 23 / 2 + 16 * 15 / 2;
    const gpu::PieceCut cut = cut_of(analysis.tree, true, 0);
    REQUIRE(gpu::factors_without_room(analysis, cut, 0) == std::vector<count_t>{places});
    const double seconds = gpu::seconds_of_cut(analysis, cut, 0, of_bytes_alone()).factorization;
    CHECK(seconds == doctest::Approx(static_cast<double>(places - upper)));
}

TEST_CASE("of several devices the one that takes longest counts") {
    const Analysis analysis = analysis_of(two_fronts());
    gpu::SubtreePlan plan(analysis.tree, {{0, 0, 0}, {1, 1, 1}});
    gpu::SavedBlocks saved(analysis.tree, plan, {1000, 1000});
    const gpu::PieceCut shared{plan, saved, false};
    CHECK(gpu::seconds_of_cut(analysis, shared, 1'000'000, of_levels_alone()).factorization == doctest::Approx(1));
}

TEST_CASE("a cut has as few levels, or moves as little, as its costs ask for") {
    int differ = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        const index_t fronts = 20 + static_cast<index_t>(seed) * 4;
        const Analysis analysis = analysis_of(random_tree(fronts, seed % 2 != 0, seed));
        const TreeShares shares = share_tree(analysis.tree, random_flops(fronts, seed), 1, {1, 0, 0, 1e300, 8});
        const count_t squares = gpu::scalars_of_subtrees(analysis.tree).back();
        for (const count_t room : {2 * squares, squares, squares / 2, squares / 4}) {
            CAPTURE(room);
            const gpu::PieceCut flat = gpu::cut_tree(analysis, shares, room, of_levels_alone());
            const gpu::PieceCut near = gpu::cut_tree(analysis, shares, room, of_bytes_alone());
            const auto seconds = [&](const gpu::PieceCut& cut, const gpu::CutCosts& of) {
                return gpu::seconds_of_cut(analysis, cut, room, of).factorization;
            };
            CHECK(seconds(flat, of_levels_alone()) <= seconds(near, of_levels_alone()));
            CHECK(seconds(near, of_bytes_alone()) <= seconds(flat, of_bytes_alone()));
            differ += flat.plan.levels().size() < near.plan.levels().size() ? 1 : 0;
        }
    }
    CHECK(differ > 20);
}

TEST_CASE("with more room a factorization is expected to take no longer") {
    int cut = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        const index_t fronts = 20 + static_cast<index_t>(seed) * 4;
        const Analysis analysis = analysis_of(random_tree(fronts, seed % 2 != 0, seed));
        const TreeShares shares = share_tree(analysis.tree, random_flops(fronts, seed), 1, {1, 0, 0, 1e300, 8});
        const count_t squares = most_squares(analysis);
        double before = std::numeric_limits<double>::infinity();
        for (count_t room = squares / 8; room <= 3 * squares; room = room * 5 / 4) {
            CAPTURE(room);
            const gpu::PieceCut next = gpu::cut_tree(analysis, shares, room, costs_of_both);
            if (next.plan.square_scalars() > room) continue;  // not even single fronts fit
            const double seconds = gpu::seconds_of_cut(analysis, next, room, costs_of_both).factorization;
            CHECK(seconds <= 1.03 * before);
            before = seconds;
            cut += next.for_memory ? 1 : 0;
        }
    }
    CHECK(cut > 200);
}

TEST_CASE("a solve that is much quicker may cost a factorization a little, and no more") {
    int on_device = 0;
    gpu::CutCosts with_operations = costs_of_both;
    with_operations.operations_seconds = 1e6;  // beside which all cuts take the same time
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const Analysis analysis = analysis_of(random_tree(100, true, seed));
        const TreeShares shares = share_tree(analysis.tree, random_flops(100, seed), 1, {1, 0, 0, 1e300, 8});
        const count_t squares = most_squares(analysis);
        for (count_t room = squares / 2; room <= 4 * squares; room = room * 17 / 16) {
            CAPTURE(room);
            const auto seconds = [&](const gpu::CutCosts& of) {
                return gpu::seconds_of_cut(analysis, gpu::cut_tree(analysis, shares, room, of), room, costs_of_both);
            };
            const gpu::CutSeconds usual = seconds(costs_of_both), of_solves = seconds(with_operations);
            CHECK(usual.factorization <= 1.03 * of_solves.factorization);
            CHECK(of_solves.solve <= usual.solve);
            on_device += of_solves.solve < usual.solve ? 1 : 0;
        }
    }
    CHECK(on_device > 0);
}

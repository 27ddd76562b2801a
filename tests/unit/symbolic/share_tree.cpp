// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/pieces.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"
#include "test_graphs.hpp"
#include "tree_checks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

struct Tree {
    AssemblyTree tree;
    CostModel cost;
};

Tree tree_of_grid(index_t k) {
    std::vector<index_t> order = geometric_nested_dissection({k, k, k}, 1);
    Tree t;
    t.tree = build_assembly_tree(grid_graph(k, k, k), order, {}, Factorization::llt, {});
    t.cost = predict_costs(t.tree, Factorization::llt);
    return t;
}

ShareCosts only_flops() { return {1, 0, 0, 1e300, 8}; }

/// Seconds by playing the parts in their order: each front alone, one after the other on its device, when only flops
/// count.
double played_seconds(const Tree& t, const TreeShares& shares, index_t devices) {
    std::vector<double> free(devices, 0.0), end(t.tree.fronts.size(), 0.0);
    for (const SharedPart& part : shares.parts) {
        const index_t first = part.whole ? t.tree.first_descendant[part.root] : part.root;
        for (index_t f = first; f <= part.root; ++f) {
            double begin = free[part.device];
            for (count_t c = t.tree.child_begin[f]; c < t.tree.child_begin[f + 1]; ++c)
                begin = std::max(begin, end[t.tree.children[c]]);
            end[f] = free[part.device] = begin + t.cost.front_flops[f];
        }
    }
    return *std::max_element(free.begin(), free.end());
}

/// Every front in one part, children's parts before their parents'.
void check_parts(const AssemblyTree& tree, const TreeShares& shares, index_t devices) {
    std::vector<char> done(tree.fronts.size(), 0);
    for (const SharedPart& part : shares.parts) {
        CHECK(part.device >= 0);
        CHECK(part.device < devices);
        for (index_t f = part.whole ? tree.first_descendant[part.root] : part.root; f <= part.root; ++f) {
            REQUIRE(done[f] == 0);
            for (count_t c = tree.child_begin[f]; c < tree.child_begin[f + 1]; ++c)
                REQUIRE(done[tree.children[c]] == 1);
            done[f] = 1;
        }
    }
    CHECK(std::count(done.begin(), done.end(), 1) == tree.front_count());
}

}  // namespace

TEST_CASE("a grid's tree among 1 to 5 devices") {
    const Tree t = tree_of_grid(12);
    double before = 0;
    for (index_t devices = 1; devices <= 5; ++devices) {
        CAPTURE(devices);
        const TreeShares shares = share_tree(t.tree, t.cost.front_flops, devices, only_flops());
        check_parts(t.tree, shares, devices);
        const double played = played_seconds(t, shares, devices);  // where a piece's subtrees end one by one
        CHECK(shares.seconds >= played * (1 - 1e-12));
        CHECK(shares.seconds <= played * 1.05);
        CHECK(shares.seconds >= t.cost.flops / devices * (1 - 1e-12));
        CHECK(shares.seconds >= t.cost.critical_path_flops * (1 - 1e-12));
        if (devices == 1)
            CHECK(shares.seconds == doctest::Approx(t.cost.flops));
        else
            CHECK(shares.seconds <= before * (1 + 1e-12));
        before = shares.seconds;
    }
}

TEST_CASE("two devices take little more than half") {
    const Tree t = tree_of_grid(12);
    const Front& root = t.tree.fronts.back();
    const double root_flops = t.cost.front_flops.back();
    REQUIRE(root.parent < 0);
    const TreeShares shares = share_tree(t.tree, t.cost.front_flops, 2, only_flops());
    CHECK(shares.seconds <= root_flops + 0.6 * (t.cost.flops - root_flops));
}

TEST_CASE("where levels take most, each device has one block of neighbours") {
    const Tree t = tree_of_grid(12);
    ShareCosts costs = only_flops();
    costs.front_seconds = t.cost.flops / 400;
    for (const index_t devices : {2, 3, 4}) {
        CAPTURE(devices);
        const TreeShares shares = share_tree(t.tree, t.cost.front_flops, devices, costs);
        check_parts(t.tree, shares, devices);
        index_t pieces = 0, root = -1, device = -1;
        for (const SharedPart& part : shares.parts) {
            if (!part.whole) continue;
            if (part.device != device || t.tree.first_descendant[part.root] != root + 1) ++pieces;
            root = part.root, device = part.device;
        }
        CHECK(shares.parts.back().root == t.tree.front_count() - 1);
        CHECK(!shares.parts.back().whole);  // the tree is shared
        CHECK(pieces <= 2 * devices);
    }
}

/// As check_parts, of the parts that devices do alone; the others are above them, and all fronts above those are as well.
void check_top(const AssemblyTree& tree, const TreeShares& shares, index_t devices, index_t expected) {
    std::vector<char> by_all(tree.fronts.size(), 0), has(devices, 0);
    index_t found = 0;
    for (const SharedPart& part : shares.parts) {
        if (part.device != SharedPart::by_all) {
            has[part.device] = 1;
            CHECK(found == 0);
            continue;
        }
        CHECK(!part.whole);
        by_all[part.root] = 1;
        ++found;
    }
    for (index_t f = 0; f < tree.front_count(); ++f)
        if (by_all[f] != 0 && tree.fronts[f].parent >= 0) CHECK(by_all[tree.fronts[f].parent] == 1);
    CHECK(std::count(has.begin(), has.end(), 1) == devices);
    CHECK(found >= expected);
}

TEST_CASE("fronts at the top by all devices, where that is quicker") {
    const Tree t = tree_of_grid(12);
    std::vector<char> may(t.tree.fronts.size(), 1);
    ShareCosts costs = only_flops();
    costs.block_columns = 16;
    for (const index_t devices : {2, 3}) {
        CAPTURE(devices);
        const double alone = share_tree(t.tree, t.cost.front_flops, devices, costs).seconds;
        const TreeShares shares = share_tree(t.tree, t.cost.front_flops, devices, costs, may);
        check_top(t.tree, shares, devices, 1);
        CHECK(shares.seconds < alone);
        CHECK(shares.seconds >= t.cost.flops / devices * (1 - 1e-12));
    }
    SUBCASE("of some order or more") {
        costs.least_order_by_all = t.tree.fronts.back().nfront;
        const TreeShares shares = share_tree(t.tree, t.cost.front_flops, 2, costs, may);
        check_top(t.tree, shares, 2, 1);
        for (const SharedPart& part : shares.parts)
            if (part.device == SharedPart::by_all) CHECK(t.tree.fronts[part.root].nfront >= costs.least_order_by_all);
    }
    SUBCASE("none below one that may not be") {
        may.back() = 0;
        for (const SharedPart& part : share_tree(t.tree, t.cost.front_flops, 2, costs, may).parts)
            CHECK(part.device >= 0);
    }
    SUBCASE("none where its blocks take longer than the front") {
        costs.block_seconds = t.cost.flops;
        for (const SharedPart& part : share_tree(t.tree, t.cost.front_flops, 2, costs, may).parts)
            CHECK(part.device >= 0);
    }
}

TEST_CASE("what does not pay stays on one device") {
    const Tree t = tree_of_grid(6);
    ShareCosts costs = only_flops();
    SUBCASE("slow links") { costs.moved_bytes_per_second = 1e-6; }
    SUBCASE("pieces that take long, whatever their size") { costs.piece_seconds = 1e12; }
    SUBCASE("latency") {
        costs.front_seconds = 1e12;
        costs.pivot_seconds = 1e12;
    }
    const TreeShares shares = share_tree(t.tree, t.cost.front_flops, 4, costs);
    check_parts(t.tree, shares, 4);
    for (const SharedPart& part : shares.parts) {
        CHECK(part.device == 0);
        CHECK(part.whole);
    }
}

TEST_CASE("a chain has nothing to share, a forest has") {
    AssemblyTree tree;
    const auto add = [&tree](index_t parent) {
        Front front;
        front.first_column = tree.order;
        front.npiv = 4;
        front.nfront = parent < 0 ? 4 : 8;
        front.parent = parent;
        tree.order += 4;
        tree.fronts.push_back(front);
    };
    SUBCASE("chain") {
        for (index_t f = 0; f < 10; ++f) add(f == 9 ? -1 : f + 1);
        for (index_t f = 0; f < 10; ++f) {
            tree.first_descendant.push_back(0);
            tree.child_begin.push_back(f == 0 ? 0 : f - 1);
            if (f > 0) tree.children.push_back(f - 1);
        }
        tree.child_begin.push_back(9);
        const TreeShares shares = share_tree(tree, std::vector<double>(10, 1.0), 3, only_flops());
        check_parts(tree, shares, 3);
        CHECK(shares.seconds == doctest::Approx(10));
    }
    SUBCASE("forest") {
        for (index_t f = 0; f < 12; ++f) {
            add(-1);
            tree.first_descendant.push_back(f);
        }
        tree.child_begin.assign(13, 0);
        const TreeShares shares = share_tree(tree, std::vector<double>(12, 1.0), 3, only_flops());
        check_parts(tree, shares, 3);
        CHECK(shares.seconds == doctest::Approx(4));
    }
}

TEST_CASE("wrong arguments") {
    const Tree t = tree_of_grid(3);
    CHECK_THROWS_AS(share_tree(t.tree, t.cost.front_flops, 0, only_flops()), InvalidArgument);
    CHECK_THROWS_AS(share_tree(t.tree, {}, 2, only_flops()), InvalidArgument);
    CHECK(share_tree({}, {}, 2, only_flops()).parts.empty());
}

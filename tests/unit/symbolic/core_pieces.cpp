// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/pieces.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"
#include "frond/base/vector_index.hpp"
#include "test_graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

struct MappedTree {
    AssemblyTree tree;
    CostModel cost;
    Mapping mapping;
};

/// Subtrees of at most so many fronts; what is above them is on tiles.
MappedTree mapped_grid(index_t k, index_t most_fronts) {
    std::vector<index_t> order = geometric_nested_dissection({k, k, k}, 1);
    MappedTree t;
    t.tree = build_assembly_tree(grid_graph(k, k, k), order, {}, Factorization::llt, {});
    t.cost = predict_costs(t.tree, Factorization::llt);
    const auto is_small = [&](index_t f) { return f - t.tree.first_descendant[at(f)] < most_fronts; };
    for (index_t f = 0; f < t.tree.front_count(); ++f) {
        const index_t parent = t.tree.fronts[at(f)].parent;
        if (!is_small(f) || (parent >= 0 && is_small(parent))) continue;
        Subtree s{t.tree.first_descendant[at(f)], f, 0, 0, 0};
        for (index_t g = s.first_front; g <= f; ++g) s.flops += t.cost.front_flops[at(g)];
        t.mapping.subtrees.push_back(s);
    }
    return t;
}

index_t depth_of(const AssemblyTree& tree, index_t f) {
    index_t depth = 0;
    for (; tree.fronts[at(f)].parent >= 0; f = tree.fronts[at(f)].parent) ++depth;
    return depth;
}

/// Flops alone cost time.
DeviceAndCores only_core_flops(index_t cores, double speed) {
    return {cores, speed, 1e300, 1, 1e300, 0, 0, 1e300, 0, 8, 0.97};
}

CorePieces choose(const MappedTree& t, const DeviceAndCores& machine) {
    return choose_core_pieces(t.tree, t.mapping, t.cost.front_flops, machine);
}

}  // namespace

TEST_CASE("cores get subtrees that end before the device's deep levels do") {
    const MappedTree t = mapped_grid(9, 6);
    const index_t cores = 8;
    for (const double speed : {0.1, 0.5, 10.0}) {
        CAPTURE(speed);
        const CorePieces pieces = choose(t, only_core_flops(cores, speed));
        REQUIRE(!pieces.subtrees.empty());
        CHECK(std::is_sorted(pieces.subtrees.begin(), pieces.subtrees.end()));
        double on_cores = 0, longest = 0, deep = 0, above = 0;
        std::vector<char> is_of_core(t.tree.fronts.size(), 0);
        for (const index_t s : pieces.subtrees) {
            const Subtree& subtree = t.mapping.subtrees[at(s)];
            CHECK(depth_of(t.tree, subtree.root_front) <= pieces.depth);
            std::fill(is_of_core.begin() + subtree.first_front, is_of_core.begin() + subtree.root_front + 1, 1);
            on_cores += subtree.flops / speed / cores;
            longest = std::max(longest, subtree.flops / speed);
        }
        for (index_t f = 0; f < t.tree.front_count(); ++f)
            if (is_of_core[at(f)] == 0)
                (depth_of(t.tree, f) < pieces.depth ? above : deep) += t.cost.front_flops[at(f)];
        CHECK(pieces.seconds == doctest::Approx(std::max(deep, on_cores + longest) + above));
        CHECK(pieces.seconds_without == doctest::Approx(t.cost.flops));
        CHECK(pieces.seconds < 0.97 * t.cost.flops);
    }
}

TEST_CASE("the device does all where cores would not help") {
    const MappedTree t = mapped_grid(9, 6);
    DeviceAndCores machine = only_core_flops(8, 0.5);
    REQUIRE(!choose(t, machine).subtrees.empty());
    SUBCASE("slow cores") { machine.core_flops_per_second = 1e-6; }
    SUBCASE("a slow link") { machine.link_bytes_per_second = 1e-3; }
    SUBCASE("tasks that cost much") { machine.piece_seconds = t.cost.flops; }
    SUBCASE("levels that take their time whatever they hold") { machine.level_seconds = 100 * t.cost.flops; }
    SUBCASE("no cores") { machine.cores = 0; }
    CHECK(choose(t, machine).subtrees.empty());
}

TEST_CASE("a tree that is one subtree, and wrong arguments") {
    const MappedTree t = mapped_grid(3, 1000);
    REQUIRE(t.mapping.subtrees.size() == 1);
    CHECK(choose(t, only_core_flops(4, 10)).subtrees.empty());
    CHECK_THROWS_AS(choose_core_pieces(t.tree, t.mapping, {}, only_core_flops(4, 10)), InvalidArgument);
    CHECK(choose_core_pieces({}, {}, {}, only_core_flops(4, 10)).subtrees.empty());
}

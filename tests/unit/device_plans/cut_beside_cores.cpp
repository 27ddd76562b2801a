// SPDX-License-Identifier: BSD-3-Clause
// Trees of which cores do some subtrees: what the device has of them, in which order, and where blocks are saved.
#include "factor/cut/cut_tree.hpp"
#include "frond/analysis/front_panels.hpp"
#include "random_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

using Plan = gpu::SubtreePlan;

std::vector<index_t> depths_of(const AssemblyTree& tree) {
    std::vector<index_t> depth(tree.fronts.size(), 0);
    for (index_t f = tree.front_count() - 1; f >= 0; --f)
        if (tree.fronts[at(f)].parent >= 0) depth[at(f)] = depth[at(tree.fronts[at(f)].parent)] + 1;
    return depth;
}

/// Every other subtree with its root at the depth.
Mapping subtrees_at(const AssemblyTree& tree, index_t depth, CorePieces& pieces) {
    Mapping mapping;
    const std::vector<index_t> depth_of = depths_of(tree);
    for (index_t f = 0, seen = 0; f < tree.front_count(); ++f)
        if (depth_of[at(f)] == depth && seen++ % 2 == 0)
            mapping.subtrees.push_back({tree.first_descendant[at(f)], f, 0, 0, 0});
    for (std::size_t s = 0; s < mapping.subtrees.size(); ++s) pieces.subtrees.push_back(static_cast<index_t>(s));
    pieces.depth = depth;
    return mapping;
}

void check_ranges(const AssemblyTree& tree, const Plan& plan, std::size_t of_cores, index_t depth) {
    const std::vector<index_t> depth_of = depths_of(tree);
    std::vector<char> is_there(tree.fronts.size(), 0);
    for (std::size_t r = 0; r < plan.ranges().size(); ++r) {
        const Plan::Range& range = plan.ranges()[r];
        REQUIRE(range.device == (r < of_cores ? Plan::on_cores : 0));
        for (index_t l = range.first_level; l < range.last_level; ++l)
            for (index_t k = plan.levels()[at(l)].first; k < plan.levels()[at(l)].last; ++k) {
                const index_t f = plan.fronts()[at(k)];
                REQUIRE(plan.range_of_fronts()[at(f)] == static_cast<index_t>(r));
                is_there[at(f)] = 1;
            }
        REQUIRE((range.first_level == range.last_level) == (r < of_cores));
    }
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const auto range = at(plan.range_of_fronts()[at(f)]);
        REQUIRE((range < of_cores) == (is_there[at(f)] == 0));
        const bool is_last = range + 1 == plan.ranges().size();
        if (range >= of_cores) REQUIRE((depth_of[at(f)] < depth) == is_last);
    }
}

/// Squares of a level and of the one before it, of this range or the one before.
void check_squares_in_turn(const AssemblyTree& tree, const Plan& plan) {
    std::vector<std::pair<count_t, count_t>> above;
    for (const Plan::Level& level : plan.levels()) {
        std::vector<std::pair<count_t, count_t>> own;
        for (index_t k = level.first; k < level.last; ++k) {
            const index_t f = plan.fronts()[at(k)], order = tree.fronts[at(f)].nfront;
            const count_t size = round_up_8(static_cast<count_t>(order) * gpu::square_ld(order));
            own.emplace_back(plan.square_at(f), plan.square_at(f) + size);
        }
        std::vector<std::pair<count_t, count_t>> all(above);
        all.insert(all.end(), own.begin(), own.end());
        std::sort(all.begin(), all.end());
        for (std::size_t k = 1; k < all.size(); ++k) REQUIRE(all[k - 1].second <= all[k].first);
        REQUIRE(all.back().second <= plan.square_scalars(0));
        above = own;
    }
}

void check_rooms(const AssemblyTree& tree, const gpu::PieceCut& cut, std::size_t of_cores) {
    std::vector<char> is_used(cut.saved.rooms().size(), 0);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        const auto range = at(cut.plan.range_of_fronts()[at(f)]);
        const bool leaves_core = range < of_cores && front.parent >= 0 && front.ncb() > 0 &&
                                 at(cut.plan.range_of_fronts()[at(front.parent)]) != range;
        const gpu::SavedBlock* const block = cut.saved.of(f);
        REQUIRE((block != nullptr) == leaves_core);
        if (block == nullptr) continue;
        REQUIRE(block->used + 1 == static_cast<index_t>(cut.plan.ranges().size()));
        const gpu::SavedRoom& room = cut.saved.rooms()[at(block->room)];
        REQUIRE(room.made == Plan::on_cores);
        REQUIRE(room.used == 0);
        REQUIRE(!room.on_host);
        REQUIRE(room.scalars >= static_cast<count_t>(front.ncb()) * front.ncb());
        REQUIRE(is_used[at(block->room)]++ == 0);  // cores may all work at a time
    }
}

}  // namespace

TEST_CASE("random trees of which cores do some subtrees") {
    int both = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        const AssemblyTree tree = random_tree(1 + static_cast<index_t>(seed) * 3, seed % 3 != 0, seed);
        for (index_t depth = 1; depth <= 5; ++depth) {
            CAPTURE(depth);
            CorePieces pieces;
            const Mapping mapping = subtrees_at(tree, depth, pieces);
            if (pieces.subtrees.empty()) continue;
            const gpu::PieceCut cut = gpu::cut_beside_cores(tree, mapping, pieces);
            CHECK(!cut.for_memory);
            CHECK(cut.plan.devices() == 1);
            check_ranges(tree, cut.plan, pieces.subtrees.size(), depth);
            check_squares_in_turn(tree, cut.plan);
            check_rooms(tree, cut, pieces.subtrees.size());
            both += cut.plan.ranges().size() == pieces.subtrees.size() + 2 ? 1 : 0;
        }
    }
    CHECK(both > 50);  // with levels before the cores end and after
}

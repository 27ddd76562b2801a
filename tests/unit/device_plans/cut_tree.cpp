// SPDX-License-Identifier: BSD-3-Clause
// Trees cut into pieces for lack of memory and among devices: what follows what, and where blocks are saved.
#include "factor/cut/cut_tree.hpp"
#include "factor/cut/square_sizes.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/pieces.hpp"
#include "random_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

using Range = gpu::SubtreePlan::Range;

constexpr count_t no_limit = std::numeric_limits<count_t>::max() / 4;
/// With which levels and bytes of such small trees weigh about as much.
constexpr gpu::CutCosts costs_of_small_trees{1, 0.01, 1e4, 1e6, 1e5, 8};

count_t square_scalars(const Front& front) {
    return round_up_8(static_cast<count_t>(front.nfront) * gpu::square_ld(front.nfront));
}

count_t largest_square(const AssemblyTree& tree) {
    count_t largest = 0;
    for (const Front& front : tree.fronts) largest = std::max(largest, square_scalars(front));
    return largest;
}

count_t factor_scalars(const AssemblyTree& tree) {
    count_t scalars = 0;
    for (const Front& front : tree.fronts) scalars += front_panels(front, Factorization::lu).size;
    return scalars;
}

/// Every front is in one range; returns which.
std::vector<index_t> range_of_fronts(const AssemblyTree& tree, const gpu::SubtreePlan& plan) {
    std::vector<index_t> range_of(tree.fronts.size(), -1);
    for (std::size_t r = 0; r < plan.ranges().size(); ++r)
        for (index_t f = plan.ranges()[r].first_front; f <= plan.ranges()[r].last_front; ++f) {
            REQUIRE(range_of[at(f)] == -1);
            range_of[at(f)] = static_cast<index_t>(r);
        }
    REQUIRE(std::count(range_of.begin(), range_of.end(), -1) == 0);
    return range_of;
}

/// Whole subtrees, or one front; children's ranges first.
void check_order(const AssemblyTree& tree, const gpu::SubtreePlan& plan, const std::vector<index_t>& range_of) {
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t parent = tree.fronts[at(f)].parent;
        if (parent >= 0) REQUIRE(range_of[at(f)] <= range_of[at(parent)]);
        const Range& range = plan.ranges()[at(range_of[at(f)])];
        if (range.first_front != range.last_front) REQUIRE(tree.first_descendant[at(f)] >= range.first_front);
    }
}

void check_devices(const AssemblyTree& tree, const TreeShares& shares, const gpu::SubtreePlan& plan,
                   const std::vector<index_t>& range_of) {
    for (const SharedPart& part : shares.parts)
        for (index_t f = part.whole ? tree.first_descendant[at(part.root)] : part.root; f <= part.root; ++f)
            REQUIRE(plan.ranges()[at(range_of[at(f)])].device == part.device);
}

count_t scalars_there(const Front& front, const Range& range) {
    const index_t columns = range.strip_columns > 0 ? front.npiv : front.nfront;
    return round_up_8(static_cast<count_t>(columns) * gpu::square_ld(front.nfront));
}

struct Place {
    count_t begin, end;
};

/// Strips are all columns but those with pivots, each apart from the one before it and from the panel; the last two are
/// added to what has its place.
void check_strips(const gpu::SubtreePlan& plan, const gpu::SubtreePlan::Level& level, const Front& front,
                  std::vector<Place>& own) {
    index_t next = front.npiv;
    for (index_t s = level.first_strip; s < level.last_strip; ++s) {
        const gpu::SubtreePlan::Strip& strip = plan.strips()[at(s)];
        REQUIRE(strip.front == level.first);
        REQUIRE(strip.first == next);
        REQUIRE(strip.last > strip.first);
        next = strip.last;
        const count_t columns = strip.last - strip.first;
        own.push_back({strip.begin, strip.begin + columns * gpu::square_ld(front.nfront)});
        if (own.size() > 3) own.erase(own.begin() + 1);
        if (own.size() == 3) REQUIRE((own[1].end <= own[2].begin || own[2].end <= own[1].begin));
    }
    if (level.last_strip > level.first_strip) REQUIRE(next == front.nfront);
}

/// Children are one level above their parent in the list, and the squares of such two levels lie side by side.
void check_squares(const AssemblyTree& tree, const gpu::SubtreePlan& plan) {
    std::size_t fronts = 0;
    for (const Range& range : plan.ranges()) {
        std::vector<Place> above;
        for (index_t l = range.first_level; l < range.last_level; ++l) {
            const gpu::SubtreePlan::Level& level = plan.levels()[at(l)];
            std::vector<Place> own;
            for (index_t k = level.first; k < level.last; ++k, ++fronts) {
                const index_t f = plan.fronts()[at(k)];
                REQUIRE(f >= range.first_front);
                REQUIRE(f <= range.last_front);
                own.push_back({plan.square_at(f), plan.square_at(f) + scalars_there(tree.fronts[at(f)], range)});
            }
            check_strips(plan, level, tree.fronts[at(range.last_front)], own);
            std::vector<Place> all(above);
            all.insert(all.end(), own.begin(), own.end());
            std::sort(all.begin(), all.end(), [](const Place& a, const Place& b) { return a.begin < b.begin; });
            for (std::size_t k = 1; k < all.size(); ++k) REQUIRE(all[k - 1].end <= all[k].begin);
            REQUIRE(all.front().begin >= 0);
            REQUIRE(all.back().end <= plan.square_scalars(range.device));
            above = own;
        }
    }
    REQUIRE(fronts == tree.fronts.size());
}

/// That no cut does without: each front with as narrow strips as there are.
count_t least_scalars(const AssemblyTree& tree) {
    count_t least = 0;
    for (const Front& front : tree.fronts) {
        const count_t by_strips = front.ncb() > 8 ? gpu::scalars_by_strips(front, 8) : square_scalars(front);
        least = std::max(least, std::min(square_scalars(front), by_strips));
    }
    return least;
}

void check_memory(const AssemblyTree& tree, const gpu::PieceCut& cut, count_t most_scalars) {
    count_t most = 0;
    for (index_t d = 0; d < cut.plan.devices(); ++d) most = std::max(most, cut.plan.square_scalars(d));
    if (least_scalars(tree) <= most_scalars) {
        CHECK(most <= most_scalars);
        for (index_t d = 0; d < cut.plan.devices() && cut.for_memory; ++d)
            CHECK(cut.plan.square_scalars(d) + cut.saved.device_scalars(d) <= most_scalars);
    } else {
        CHECK(!cut.for_memory);
    }
}

/// A block is saved from the end of the piece that makes it, by strips: from its beginning, to the beginning of the one
/// that uses it.
bool saved_together(const gpu::SavedBlock& a, const gpu::SavedBlock& b, bool in_turn) {
    const auto from = [](const gpu::SavedBlock& x) { return 2 * x.made + (x.by_strips ? 0 : 1); };
    const auto to = [](const gpu::SavedBlock& x) { return 2 * x.used; };
    return !in_turn || std::max(from(a), from(b)) <= std::min(to(a), to(b));
}

void check_block(const gpu::PieceCut& cut, const gpu::SavedBlock& block) {
    const gpu::SavedRoom& room = cut.saved.rooms()[at(block.room)];
    REQUIRE(room.scalars >= block.scalars);
    if (room.on_host) return;
    REQUIRE(room.made == cut.plan.ranges()[at(block.made)].device);
    REQUIRE(room.used == cut.plan.ranges()[at(block.used)].device);
}

void check_saved(const AssemblyTree& tree, const gpu::PieceCut& cut, const std::vector<index_t>& range_of) {
    std::vector<const gpu::SavedBlock*> all;
    count_t traffic = 0;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        const gpu::SavedBlock* const block = cut.saved.of(f);
        const bool is_saved = front.parent >= 0 && front.ncb() > 0 && range_of[at(front.parent)] != range_of[at(f)];
        REQUIRE((block != nullptr) == is_saved);
        if (!is_saved) continue;
        REQUIRE(block->front == f);
        REQUIRE(block->made == range_of[at(f)]);
        REQUIRE(block->used == range_of[at(front.parent)]);
        REQUIRE(block->scalars >= static_cast<count_t>(front.ncb()) * front.ncb());
        check_block(cut, *block);
        REQUIRE(block->by_strips == (cut.plan.ranges()[at(block->made)].strip_columns > 0));
        traffic += cut.saved.rooms()[at(block->room)].on_host ? block->scalars : 0;
        all.push_back(block);
    }
    CHECK(cut.saved.blocks().size() == all.size());
    CHECK(cut.saved.host_traffic() == traffic);
    for (std::size_t k = 0; k < all.size(); ++k)
        for (std::size_t m = 0; m < k; ++m)
            if (all[k]->room == all[m]->room) REQUIRE(!saved_together(*all[k], *all[m], cut.plan.devices() == 1));
}

/// Returns whether the tree was cut for memory.
bool check_cut(const AssemblyTree& tree, const TreeShares& shares, count_t most_scalars, int& by_strips) {
    CAPTURE(most_scalars);
    const Analysis analysis = analysis_of(tree);
    const gpu::PieceCut cut = gpu::cut_tree(analysis, shares, most_scalars, costs_of_small_trees);
    const std::vector<index_t> range_of = range_of_fronts(tree, cut.plan);
    check_order(tree, cut.plan, range_of);
    check_devices(tree, shares, cut.plan, range_of);
    check_squares(tree, cut.plan);
    check_memory(tree, cut, most_scalars);
    check_saved(tree, cut, range_of);
    by_strips += cut.plan.strips().empty() ? 0 : 1;
    return cut.for_memory;
}

}  // namespace

TEST_CASE("random trees, cut by memory and among devices") {
    int cut = 0, shared = 0, by_strips = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        const index_t fronts = 1 + static_cast<index_t>(seed) * 3;
        const AssemblyTree tree = random_tree(fronts, seed % 3 != 0, seed);
        const std::vector<double> flops = random_flops(fronts, seed + 100);
        for (index_t devices = 1; devices <= 4; ++devices) {
            CAPTURE(devices);
            const TreeShares shares = share_tree(tree, flops, devices, {1, 0, 0, 1e300, 8});
            const gpu::PieceCut whole = gpu::cut_tree(analysis_of(tree), shares, no_limit, costs_of_small_trees);
            shared += whole.plan.devices() > 1 ? 1 : 0;
            count_t all = 0;
            count_t with_blocks = 0;
            for (index_t d = 0; d < whole.plan.devices(); ++d) {
                all = std::max(all, whole.plan.square_scalars(d));
                with_blocks = std::max(with_blocks, whole.plan.square_scalars(d) + whole.saved.device_scalars(d));
            }
            const count_t largest = largest_square(tree), least = least_scalars(tree);
            CHECK(!check_cut(tree, shares, no_limit, by_strips));
            CHECK(!check_cut(tree, shares, with_blocks + factor_scalars(tree), by_strips));
            for (const count_t most :
                 {all - 1, all / 2, all / 4, 2 * largest, largest, largest - 1, least, least - 1, count_t(0)})
                cut += check_cut(tree, shares, most, by_strips) ? 1 : 0;
        }
    }
    CHECK(cut > 200);  // so that the checks above are of something
    CHECK(shared > 100);
    CHECK(by_strips > 200);
}

TEST_CASE("what a subtree takes is known without its plan") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const AssemblyTree tree = random_tree(1 + static_cast<index_t>(seed) * 5, seed % 2 == 0, seed);
        const std::vector<count_t> scalars = gpu::scalars_of_subtrees(tree);
        for (index_t f = 0; f < tree.front_count(); ++f)
            REQUIRE(scalars[at(f)] == gpu::SubtreePlan(tree, {{tree.first_descendant[at(f)], f}}).square_scalars());
    }
}

TEST_CASE("a tree that fits one device is one piece") {
    const AssemblyTree tree = random_tree(50, false, 3);
    const TreeShares shares = share_tree(tree, random_flops(50, 4), 1, {1, 0, 0, 1e300, 8});
    const gpu::PieceCut cut = gpu::cut_tree(analysis_of(tree), shares, no_limit, costs_of_small_trees);
    CHECK(cut.plan.ranges().size() == 1);
    CHECK(cut.saved.rooms().empty());
    CHECK(cut.saved.device_scalars(0) == 0);
    CHECK(cut.saved.host_scalars() == 0);
    for (index_t f = 0; f < 50; ++f) CHECK(cut.saved.of(f) == nullptr);
}

TEST_CASE("blocks are saved on the host where the device has no room for them") {
    const AssemblyTree tree = random_tree(120, true, 5);
    const TreeShares shares = share_tree(tree, random_flops(120, 6), 1, {1, 0, 0, 1e300, 8});
    const gpu::PieceCut cut = gpu::cut_tree(analysis_of(tree), shares, largest_square(tree), costs_of_small_trees);
    REQUIRE(cut.for_memory);
    count_t all = 0, on_host = 0, later = 0;
    for (const count_t room : {count_t(0), count_t(1000), no_limit}) {
        CAPTURE(room);
        const gpu::SavedBlocks saved(tree, cut.plan, {room});
        CHECK(saved.device_scalars(0) <= room);
        on_host = saved.host_traffic();
        if (room == 0) all = on_host;
        if (room == 1000) later = on_host;
    }
    CHECK(all > 0);
    CHECK(later < all);
    CHECK(on_host == 0);
}

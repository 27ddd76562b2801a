// SPDX-License-Identifier: BSD-3-Clause
// Trees cut into ranges for lack of memory and among devices: what follows what, where blocks wait, who waits for whom.
#include "factor/cut_tree.hpp"
#include "factor/tree_segments.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/share_tree.hpp"
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

count_t square_scalars(const Front& front) {
    return round_up_8(static_cast<count_t>(front.nfront) * gpu::square_ld(front.nfront));
}

count_t largest_square(const AssemblyTree& tree) {
    count_t largest = 0;
    for (const Front& front : tree.fronts) largest = std::max(largest, square_scalars(front));
    return largest;
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

/// Children are one level above their parent in the list, and the squares of such two levels lie side by side.
void check_squares(const AssemblyTree& tree, const gpu::SubtreePlan& plan) {
    struct Place {
        count_t begin, end;
    };
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
                own.push_back({plan.square_at(f), plan.square_at(f) + square_scalars(tree.fronts[at(f)])});
            }
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

void check_memory(const AssemblyTree& tree, const gpu::TreeCut& cut, count_t most_scalars) {
    const count_t largest = largest_square(tree);
    count_t most = 0;
    for (index_t d = 0; d < cut.plan.devices(); ++d) most = std::max(most, cut.plan.square_scalars(d));
    if (largest <= most_scalars) {
        CHECK(most <= most_scalars);
        if (cut.for_memory) CHECK(most <= std::max(most_scalars / 2, largest));
        if (cut.for_memory) CHECK(cut.plan.square_scalars(0) + cut.saved.device_scalars() <= most_scalars);
    } else {
        CHECK(!cut.for_memory);
    }
}

struct Waiting {
    const gpu::SavedContribution* block;
    count_t end() const { return block->begin + block->scalars; }
};

/// A block waits from the end of the range that makes it to the beginning of the one that uses it.
bool wait_together(const gpu::SavedContribution& a, const gpu::SavedContribution& b, bool in_turn) {
    const auto from = [](const gpu::SavedContribution& x) { return 2 * x.made + 1; };
    const auto to = [](const gpu::SavedContribution& x) { return 2 * x.used; };
    return !in_turn || std::max(from(a), from(b)) <= std::min(to(a), to(b));
}

void check_saved(const AssemblyTree& tree, const gpu::TreeCut& cut, const std::vector<index_t>& range_of) {
    std::vector<Waiting> all;
    count_t traffic = 0;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        const gpu::SavedContribution* const block = cut.saved.of(f);
        const bool is_saved = front.parent >= 0 && front.ncb() > 0 && range_of[at(front.parent)] != range_of[at(f)];
        REQUIRE((block != nullptr) == is_saved);
        if (!is_saved) continue;
        REQUIRE(block->made == range_of[at(f)]);
        REQUIRE(block->used == range_of[at(front.parent)]);
        REQUIRE(block->scalars >= static_cast<count_t>(front.ncb()) * front.ncb());
        REQUIRE(block->begin >= 0);
        REQUIRE(block->begin + block->scalars <=
                (block->on_host ? cut.saved.host_scalars() : cut.saved.device_scalars()));
        traffic += block->on_host ? block->scalars : 0;
        all.push_back({block});
    }
    CHECK(cut.saved.host_traffic() == traffic);
    for (std::size_t k = 0; k < all.size(); ++k)
        for (std::size_t m = 0; m < k; ++m) {
            if (all[k].block->on_host != all[m].block->on_host) continue;
            if (!wait_together(*all[k].block, *all[m].block, cut.plan.devices() == 1)) continue;
            const bool apart = all[k].end() <= all[m].block->begin || all[m].end() <= all[k].block->begin;
            REQUIRE(apart);
        }
}

bool waits_for(const gpu::TreeSegment& segment, index_t other) {
    return std::find(segment.after.begin(), segment.after.end(), other) != segment.after.end();
}

/// Each range in one segment; what is used from another device is waited for, and nothing that comes later is.
void check_segments(const AssemblyTree& tree, const gpu::SubtreePlan& plan, const std::vector<index_t>& range_of) {
    const std::vector<gpu::TreeSegment> segments = gpu::tree_segments(tree, plan);
    if (plan.devices() == 1) CHECK(segments.size() == 1);
    std::vector<index_t> segment_of(plan.ranges().size(), -1), last_range(at(plan.devices()), -1);
    std::vector<char> is_waited_for(segments.size(), 0);
    for (std::size_t s = 0; s < segments.size(); ++s) {
        REQUIRE(!segments[s].ranges.empty());
        for (const index_t r : segments[s].ranges) {
            REQUIRE(segment_of[at(r)] == -1);
            segment_of[at(r)] = static_cast<index_t>(s);
            REQUIRE(plan.ranges()[at(r)].device == segments[s].device);
            REQUIRE(r > last_range[at(segments[s].device)]);  // in the order of the plan
            last_range[at(segments[s].device)] = r;
        }
        for (const index_t other : segments[s].after) {
            REQUIRE(other < static_cast<index_t>(s));  // hence no cycles
            REQUIRE(segments[at(other)].device != segments[s].device);
            is_waited_for[at(other)] = 1;
        }
    }
    REQUIRE(std::count(segment_of.begin(), segment_of.end(), -1) == 0);
    for (std::size_t s = 0; s < segments.size(); ++s) REQUIRE(segments[s].is_waited_for == (is_waited_for[s] != 0));
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t parent = tree.fronts[at(f)].parent;
        if (parent < 0) continue;
        const index_t made = segment_of[at(range_of[at(f)])], used = segment_of[at(range_of[at(parent)])];
        if (segments[at(made)].device == segments[at(used)].device) continue;
        REQUIRE(waits_for(segments[at(used)], made));
        REQUIRE(segments[at(made)].ranges.back() == range_of[at(f)]);  // and for nothing that comes after it
    }
}

std::vector<double> random_flops(index_t fronts, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> flops(at(fronts));
    for (double& x : flops) x = 1 + random.below(1000);
    return flops;
}

/// Returns whether the tree was cut for memory.
bool check_cut(const AssemblyTree& tree, const TreeShares& shares, count_t most_scalars) {
    CAPTURE(most_scalars);
    const gpu::TreeCut cut = gpu::cut_tree(tree, shares, most_scalars);
    const std::vector<index_t> range_of = range_of_fronts(tree, cut.plan);
    check_order(tree, cut.plan, range_of);
    check_devices(tree, shares, cut.plan, range_of);
    check_squares(tree, cut.plan);
    check_memory(tree, cut, most_scalars);
    check_saved(tree, cut, range_of);
    check_segments(tree, cut.plan, range_of);
    return cut.for_memory;
}

}  // namespace

TEST_CASE("random trees, cut by memory and among devices") {
    int cut = 0, shared = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        const index_t fronts = 1 + static_cast<index_t>(seed) * 3;
        const AssemblyTree tree = random_tree(fronts, seed % 3 != 0, seed);
        const std::vector<double> flops = random_flops(fronts, seed + 100);
        for (index_t devices = 1; devices <= 4; ++devices) {
            CAPTURE(devices);
            const TreeShares shares = share_tree(tree, flops, devices, {1, 0, 0, 1e300, 8});
            const gpu::TreeCut whole = gpu::cut_tree(tree, shares, no_limit);
            shared += whole.plan.devices() > 1 ? 1 : 0;
            count_t all = 0;
            for (index_t d = 0; d < whole.plan.devices(); ++d) all = std::max(all, whole.plan.square_scalars(d));
            CHECK(!check_cut(tree, shares, no_limit));
            CHECK(!check_cut(tree, shares, all));
            const count_t largest = largest_square(tree);
            for (const count_t most : {all - 1, all / 2, all / 4, 2 * largest, largest, largest - 1, count_t(0)})
                cut += check_cut(tree, shares, most) ? 1 : 0;
        }
    }
    CHECK(cut > 200);  // so that the checks above are of something
    CHECK(shared > 100);
}

TEST_CASE("a tree that fits one device is one range") {
    const AssemblyTree tree = random_tree(50, false, 3);
    const TreeShares shares = share_tree(tree, random_flops(50, 4), 1, {1, 0, 0, 1e300, 8});
    const gpu::TreeCut cut = gpu::cut_tree(tree, shares, no_limit);
    CHECK(cut.plan.ranges().size() == 1);
    CHECK(cut.saved.device_scalars() == 0);
    CHECK(cut.saved.host_scalars() == 0);
    for (index_t f = 0; f < 50; ++f) CHECK(cut.saved.of(f) == nullptr);
}

TEST_CASE("blocks wait on the host where the device has no room for them") {
    const AssemblyTree tree = random_tree(120, true, 5);
    const TreeShares shares = share_tree(tree, random_flops(120, 6), 1, {1, 0, 0, 1e300, 8});
    const gpu::TreeCut cut = gpu::cut_tree(tree, shares, largest_square(tree));
    REQUIRE(cut.for_memory);
    count_t all = 0, on_host = 0, later = 0;
    for (const count_t room : {count_t(0), count_t(1000), no_limit}) {
        CAPTURE(room);
        const gpu::SavedContributions saved(tree, cut.plan, room);
        CHECK(saved.device_scalars() <= room);
        on_host = saved.host_traffic();
        if (room == 0) all = on_host;
        if (room == 1000) later = on_host;
    }
    CHECK(all > 0);
    CHECK(later < all);
    CHECK(on_host == 0);
}

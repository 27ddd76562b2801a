// SPDX-License-Identifier: BSD-3-Clause
// Memory that is made ready before somebody needs it: taken over, given back, and refused.
#include "engine/pinned_ahead.hpp"
#include "submit/pin_ahead.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

constexpr count_t block_ahead = count_t{64} << 20;

std::atomic<int> segments_ahead{0}, refused_ahead{-1}, open_ahead{0};

/// The first open_ahead segments are made ready at once, others when that has grown.
bool ready_ahead(void*, count_t, index_t) {
    const int segment = segments_ahead++;
    while (segment >= open_ahead) std::this_thread::yield();
    return segment != refused_ahead;
}

HostHeap::SegmentRules rules_ahead() {
    segments_ahead = 0, refused_ahead = -1, open_ahead = 100;
    HostHeap::SegmentRules rules;
    rules.segment_bytes = block_ahead;
    rules.mapped = ready_ahead;
    return rules;
}

struct HeapAhead {
    Watchdog watchdog{60};
    HostHeap heap{rules_ahead()};
    detail::PinnedAhead ahead{heap};
};

}  // namespace

TEST_CASE_FIXTURE(HeapAhead, "memory pinned ahead is the heap's once it is left") {
    const count_t number = ahead.begin(3 * block_ahead, block_ahead);
    ahead.wait();
    CHECK(heap.used_bytes() == 3 * block_ahead);
    ahead.leave();
    CHECK(heap.used_bytes() == 0);
    CHECK(heap.mapped_bytes() == 3 * block_ahead);
    CHECK(HostBlock::unready(block_ahead / 2, heap).is_ready());
    ahead.give_back(number);  // it was left
    CHECK(heap.mapped_bytes() == 3 * block_ahead);
}

TEST_CASE_FIXTURE(HeapAhead, "memory pinned ahead that nobody takes goes back, but for what was begun later") {
    const count_t first = ahead.begin(2 * block_ahead, block_ahead);
    ahead.wait();
    const count_t second = ahead.begin(block_ahead, block_ahead);
    ahead.wait();
    ahead.give_back(first);
    CHECK(heap.mapped_bytes() == 2 * block_ahead);
    CHECK(heap.used_bytes() == block_ahead);
    ahead.give_back(second);
    CHECK(heap.mapped_bytes() == 0);
}

TEST_CASE_FIXTURE(HeapAhead, "who leaves memory pinned ahead waits for one block at most") {
    open_ahead = 1;
    static_cast<void>(ahead.begin(50 * block_ahead, block_ahead));
    while (segments_ahead < 2) std::this_thread::yield();
    std::thread opener([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        open_ahead = 2;
    });
    ahead.leave();
    opener.join();
    CHECK(segments_ahead == 2);
    CHECK(heap.mapped_bytes() == 2 * block_ahead);
}

TEST_CASE_FIXTURE(HeapAhead, "memory that is refused ahead is not there, and nothing else happens") {
    refused_ahead = 1;
    static_cast<void>(ahead.begin(4 * block_ahead, block_ahead));
    ahead.wait();
    CHECK(segments_ahead == 2);
    ahead.leave();
    CHECK(heap.mapped_bytes() == block_ahead);
}

TEST_CASE("no memory is pinned ahead of a tree that may fit on the devices whole") {
    constexpr count_t scalar_bytes = 8;
    // Two chains of two columns below one of three: supernodes of orders 5, 5 and 3.
    CountedTree tree;
    tree.tree.parent = {1, 4, 3, 4, 5, 6, -1};
    tree.count = {5, 4, 5, 4, 3, 2, 1};
    const count_t factors = 24 * scalar_bytes, squares = (2 * 25 + 9) * scalar_bytes;
    CHECK(counted_squares(tree) * scalar_bytes == squares);
    const auto ahead = [&](Factorization kind, count_t room) {
        return detail::bytes_ahead(tree, kind, scalar_bytes, room);
    };
    CHECK(ahead(Factorization::llt, factors + squares) == 0);
    const count_t less = factors + squares - 1;
    CHECK(less == 663);
    CHECK(ahead(Factorization::llt, less) == 277);  // (472 / 663 - 0.4) / 2 of 472 bytes of blocks
    CHECK(ahead(Factorization::lu, less) == 421);
    CHECK(ahead(Factorization::llt, factors) == 203 + squares);
    CHECK(ahead(Factorization::llt, -1) == 203 + squares);
}

TEST_CASE("contribution blocks that stay on the devices are not pinned ahead") {
    constexpr count_t scalar_bytes = 8;
    CountedTree tree;  // 20 columns, each a root of order 2
    tree.tree.parent.assign(20, -1);
    tree.count.assign(20, 2);
    CHECK(counted_squares(tree) == 4);
    CHECK(detail::bytes_ahead(tree, Factorization::llt, scalar_bytes, 120) == 320 - 40);
}

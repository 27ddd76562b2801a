// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "frond/base/host_block.hpp"
#include "frond/base/sanitizers.hpp"
#include "random_sparse.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <thread>
#include <vector>

#if FROND_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

using namespace frond;
using namespace frond::test;

namespace {

struct Block {
    unsigned char* data;
    count_t bytes;
    unsigned char mark;
};

bool intact(const Block& block) { return block.data[0] == block.mark && block.data[block.bytes - 1] == block.mark; }

/// Takes and returns blocks in random order; false when one overlapped another.
bool churn(HostHeap& heap, std::uint64_t seed, int steps) {
    Random random(seed);
    std::vector<Block> held;
    bool good = true;
    const auto give_back = [&](std::size_t k) {
        good = good && intact(held[k]);
        heap.release(held[k].data, held[k].bytes);
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(k));
    };
    for (int step = 0; step < steps; ++step) {
        if (held.size() > 12 || (!held.empty() && random.below(3) == 0)) {
            give_back(static_cast<std::size_t>(random.below(static_cast<index_t>(held.size()))));
            continue;
        }
        const count_t bytes = 1 + random.below(3'000'000);
        Block block{static_cast<unsigned char*>(heap.allocate(bytes)), bytes,
                    static_cast<unsigned char>(random.below(256))};
        good = good && reinterpret_cast<std::uintptr_t>(block.data) % 4096 == 0;
        block.data[0] = block.data[bytes - 1] = block.mark;
        held.push_back(block);
    }
    while (!held.empty()) give_back(0);
    return good;
}

}  // namespace

TEST_CASE("blocks do not overlap, and holes are joined again") {
    HostHeap heap;
    CHECK(churn(heap, 1, 2000));
    CHECK(heap.used_bytes() == 0);
    // All holes of the one segment are one again: the whole of it can be had in one piece.
    const count_t whole = heap.mapped_bytes();
    REQUIRE(whole > 0);
    void* all = heap.allocate(whole);
    CHECK(heap.mapped_bytes() == whole);
    CHECK(heap.used_bytes() == whole);
    heap.release(all, whole);
    heap.trim();
    CHECK(heap.mapped_bytes() == 0);
}

TEST_CASE("several threads") {
    HostHeap heap;
    std::vector<std::thread> threads;
    std::vector<char> good(4, 0);
    for (std::size_t t = 0; t < 4; ++t) threads.emplace_back([&, t] { good[t] = churn(heap, 10 + t, 500); });
    for (std::thread& thread : threads) thread.join();
    for (const char g : good) CHECK(g == 1);
    CHECK(heap.used_bytes() == 0);
}

TEST_CASE("a page counts as new until it was in use before, and again when the system has taken it back") {
    constexpr count_t page = 1 << 12, large = 64 * page;
    HostHeap heap;
    CHECK(heap.new_bytes() == 0);
    void* first = heap.allocate(large);
    CHECK(heap.new_bytes() == large);
    heap.release(first, large);
    void* half = heap.allocate(large / 2);
    CHECK(heap.new_bytes() == large);
    void* whole = heap.allocate(large);  // behind it, where half of its pages were in use before
    CHECK(heap.new_bytes() == large + large / 2);
    heap.release(half, large / 2);
    heap.release(whole, large);
    heap.trim();
    heap.release(heap.allocate(1), 1);
    CHECK(heap.new_bytes() == large + large / 2 + page);
}

TEST_CASE("trim keeps segments in use") {
    HostHeap heap;
    void* block = heap.allocate(100);
    std::memset(block, 1, 100);
    heap.trim();
    CHECK(heap.mapped_bytes() > 0);
    CHECK(static_cast<unsigned char*>(block)[99] == 1);
    heap.release(block, 100);
    heap.trim();
    CHECK(heap.mapped_bytes() == 0);
}

TEST_CASE("beyond a limit: OutOfMemory with the bytes asked for, and the heap stays usable") {
    HostHeap heap;
    heap.limit_used_bytes(10'000'000);
    void* first = heap.allocate(6'000'000);
    bool refused = false;
    try {
        heap.allocate(5'000'000);
    } catch (const OutOfMemory& error) {
        refused = true;
        CHECK(error.requested_bytes() >= 5'000'000);
    }
    CHECK(refused);
    heap.release(first, 6'000'000);
    heap.release(heap.allocate(9'000'000), 9'000'000);
    CHECK(heap.used_bytes() == 0);
}

TEST_CASE("more than the address space is refused") {
    HostHeap heap;
    CHECK_THROWS_AS(heap.allocate(count_t{1} << 60), OutOfMemory);
    CHECK(heap.mapped_bytes() == 0);
}

#if FROND_ADDRESS_SANITIZER
TEST_CASE("AddressSanitizer knows the blocks") {
    const auto forbidden = [](void* block, count_t byte) {
        return __asan_address_is_poisoned(static_cast<char*>(block) + byte) != 0;
    };
    HostHeap heap;
    void* block = heap.allocate(10'000);
    void* next = heap.allocate(4096);
    CHECK_FALSE(forbidden(block, 0));
    CHECK_FALSE(forbidden(block, 9'999));
    CHECK(forbidden(block, 10'000));
    CHECK_FALSE(forbidden(next, 4095));
    CHECK(forbidden(next, 4096));
    heap.release(block, 10'000);
    CHECK(forbidden(block, 0));
    CHECK(heap.allocate(8192) == block);
    CHECK_FALSE(forbidden(block, 8191));
    heap.release(block, 8192);
    heap.release(next, 4096);
    heap.trim();
    CHECK_FALSE(forbidden(block, 0));  // the address may be somebody else's by now
    CHECK_FALSE(forbidden(next, 4096));
}
#endif

// SPDX-License-Identifier: BSD-3-Clause
// A heap whose segments are more than mapped: told of each, and refusing what it is told will not do.
#include "frond/base/error.hpp"
#include "frond/base/host_block.hpp"
#include "random_sparse.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <vector>

using namespace frond;
using frond::test::Random;

namespace {

constexpr count_t mebibyte = count_t{1} << 20;

std::map<void*, count_t>& segments() {
    static std::map<void*, count_t> all;
    return all;
}
int refused_segments = 0;  // the next ones

bool mapped(void* data, count_t bytes, index_t) {
    if (refused_segments > 0) return --refused_segments, false;
    std::memset(data, 7, static_cast<std::size_t>(bytes));  // all of it may be touched
    segments()[data] = bytes;
    return true;
}

void unmapping(void* data, count_t bytes) {
    CHECK(segments().at(data) == bytes);
    segments().erase(data);
}

int counted_segments = 0;

/// For large ones, whose pages nobody touches.
HostHeap::SegmentRules only_counted() {
    HostHeap::SegmentRules rules;
    rules.segment_bytes = 64 * mebibyte;
    rules.mapped = [](void*, count_t, index_t) { return ++counted_segments > 0; };
    return rules;
}

HostHeap::SegmentRules told() {
    HostHeap::SegmentRules rules;
    rules.segment_bytes = 64 * mebibyte;
    rules.huge_pages = true;
    rules.mapped = mapped;
    rules.unmapping = unmapping;
    return rules;
}

}  // namespace

TEST_CASE("segments of the size that was asked for, told of when they come and go") {
    {
        HostHeap heap(told());
        const HostBlock small(100, heap), large(40 * mebibyte, heap);
        CHECK(segments().size() == 1);
        CHECK(heap.mapped_bytes() == 64 * mebibyte);
        const HostBlock second(40 * mebibyte, heap), huge(200 * mebibyte, heap);
        CHECK(segments().size() == 3);
        CHECK(heap.mapped_bytes() == (64 + 64 + 200) * mebibyte);
    }
    CHECK(segments().empty());
}

TEST_CASE("pages stay until their segment goes") {
    HostHeap heap(told());
    {
        const HostBlock a(30 * mebibyte, heap);
        static_cast<unsigned char*>(a.data())[12345] = 42;
    }
    { const HostBlock fresh(60 * mebibyte, heap); }  // another heap gives dirty pages back here
    const HostBlock again(30 * mebibyte, heap);
    CHECK(static_cast<const unsigned char*>(again.data())[12345] == 42);
    CHECK(segments().size() == 1);
}

TEST_CASE("a segment that will not do is an error, and the heap is as before") {
    HostHeap heap(told());
    const HostBlock held(mebibyte, heap);
    refused_segments = 1;
    CHECK_THROWS_AS(HostBlock(100 * mebibyte, heap), OutOfMemory);
    CHECK(refused_segments == 0);
    CHECK(heap.mapped_bytes() == 64 * mebibyte);
    CHECK(heap.used_bytes() == mebibyte);
    const HostBlock later(100 * mebibyte, heap);
    CHECK(segments().size() == 2);
}

TEST_CASE("blocks that are not ready have a segment that nobody was told of") {
    HostHeap heap(told());
    HostBlock first = HostBlock::unready(40 * mebibyte, heap), second = HostBlock::unready(mebibyte, heap);
    CHECK(segments().empty());
    CHECK(!first.is_ready());
    second.be_ready(1);
    CHECK(segments().size() == 1);
    CHECK(first.is_ready());
    first.be_ready(1);
    CHECK(segments().size() == 1);
    const HostBlock third(10 * mebibyte, heap);
    CHECK(segments().size() == 1);
}

TEST_CASE("a block that is not ready may have a small segment, which others use, too") {
    HostHeap heap(told());
    HostBlock first = HostBlock::unready(3 * mebibyte, heap, 7 * mebibyte);
    CHECK(heap.mapped_bytes() == 8 * mebibyte);
    first.be_ready(1);
    CHECK(HostBlock::unready(5 * mebibyte, heap).is_ready());
    const HostBlock second = HostBlock::unready(6 * mebibyte, heap, mebibyte);
    CHECK(!second.is_ready());
    CHECK(heap.mapped_bytes() == 14 * mebibyte);
}

TEST_CASE("a usual block makes a segment ready that is only mapped") {
    HostHeap heap(told());
    const HostBlock first = HostBlock::unready(mebibyte, heap);
    const HostBlock second(mebibyte, heap);
    CHECK(heap.mapped_bytes() == 64 * mebibyte);
    CHECK(first.is_ready());
}

TEST_CASE("a segment that will not do goes with the last of its blocks") {
    HostHeap heap(told());
    {
        HostBlock first = HostBlock::unready(mebibyte, heap);
        const HostBlock second = HostBlock::unready(mebibyte, heap);
        refused_segments = 1;
        CHECK_THROWS_AS(first.be_ready(1), OutOfMemory);
        first.release();
        CHECK(heap.mapped_bytes() == 64 * mebibyte);
        CHECK(!second.is_ready());
    }
    CHECK(heap.mapped_bytes() == 0);
    CHECK(segments().empty());
}

TEST_CASE("blocks of the same sizes, in the same order as before, need no more segments") {
    Random random(3);
    std::vector<count_t> sizes;
    for (int b = 0; b < 40; ++b) sizes.push_back((1 + random.below(b % 3 == 0 ? 40 : 300)) * mebibyte / 2);
    HostHeap heap(only_counted());
    counted_segments = 0;
    for (int round = 0; round < 4; ++round) {
        CAPTURE(round);
        const int before = counted_segments;
        std::vector<HostBlock> blocks;
        for (const count_t bytes : sizes) {
            blocks.push_back(HostBlock::unready(bytes, heap));
            blocks.back().be_ready(1);
        }
        CHECK((counted_segments > before) == (round == 0));
    }
}

TEST_CASE("a segment that is not ready goes without a word when it is trimmed") {
    HostHeap heap(told());
    HostBlock block = HostBlock::unready(mebibyte, heap);
    block.release();
    heap.trim();
    CHECK(heap.mapped_bytes() == 0);
    CHECK(segments().empty());
}

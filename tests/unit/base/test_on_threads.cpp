// SPDX-License-Identifier: BSD-3-Clause
#include "../../../analysis/base/on_threads.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

using namespace frond;

TEST_CASE("each chunk is taken once, whatever the number of threads") {
    for (const index_t threads : {1, 2, 3, 8, 17})
        for (const count_t count : {0, 1, 2, 1000}) {
            std::vector<std::atomic<int>> taken(static_cast<std::size_t>(count));
            for_each_chunk(threads, count, [&](count_t c) { ++taken[static_cast<std::size_t>(c)]; });
            for (const auto& times : taken) CHECK(times == 1);
        }
}

TEST_CASE("what a thread throws comes out, and the rest is dropped") {
    for (const index_t threads : {1, 4}) {
        std::atomic<count_t> begun = 0;
        CHECK_THROWS_AS(for_each_chunk(threads, 1000000,
                                       [&](count_t c) {
                                           ++begun;
                                           if (c == 3) throw std::runtime_error("three");
                                       }),
                        std::runtime_error);
        CHECK(begun < 1000000);
    }
}

TEST_CASE("the chunks of a range are the range") {
    for (const count_t end : {0, 1, 9, 10, 11, 25}) {
        const ChunkedRange range{end, 10};
        count_t at = 0;
        for (count_t c = 0; c < range.count(); ++c) {
            CHECK(range.first(c) == at);
            CHECK(range.last(c) > at);
            at = range.last(c);
        }
        CHECK(at == end);
    }
}

TEST_CASE("little work gets one thread, other work those asked for or one a core") {
    CHECK(threads_for(7, 100) == 1);
    CHECK(threads_for(7, 1000000) == 7);
    CHECK(threads_for(0, 1000000) >= 1);
}

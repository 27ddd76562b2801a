// SPDX-License-Identifier: BSD-3-Clause
// Lists in huge pages: they are vectors, whose new elements nobody writes.
#include "frond/base/large_vector.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

using namespace frond;

namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

template <class List>
std::uintptr_t offset_in_huge_page(const List& list) {
    return reinterpret_cast<std::uintptr_t>(list.data()) % huge_page_bytes;
}

}  // namespace

TEST_CASE("A large vector keeps its elements as it grows, and begins at a huge page from 4 MiB on") {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{3} << 20}) {
        LargeVector<std::int32_t> list(size, 7);
        list.resize(size + 1);
        list.back() = 8;
        CHECK(std::accumulate(list.begin(), list.end(), std::int64_t{0}) == 7 * static_cast<std::int64_t>(size) + 8);
        if (list.capacity() * sizeof(std::int32_t) >= 2 * huge_page_bytes) CHECK(offset_in_huge_page(list) == 0);
    }
}

TEST_CASE("What resize() adds to a large vector has no value: what was there before shows through") {
    LargeVector<std::int32_t> list{1, 2, 3};
    list.resize(1);
    list.resize(3);
    CHECK(list == LargeVector<std::int32_t>{1, 2, 3});
    list.assign(2, 0);
    CHECK(list == LargeVector<std::int32_t>{0, 0});
}

TEST_CASE("A large vector that no memory can hold is refused") {
    CHECK_THROWS_AS(LargeVector<double>(std::size_t{1} << 56), std::bad_alloc);
}

TEST_CASE("A plain vector that takes new memory in huge pages has zeros there, and else keeps its memory") {
    std::vector<double> values;
    resize_in_huge_pages(values, std::size_t{1} << 20);
    CHECK(values == std::vector<double>(std::size_t{1} << 20, 0.0));
    const double* const before = values.data();
    values.assign(values.size(), 5.0);
    resize_in_huge_pages(values, 10);
    CHECK(values == std::vector<double>(10, 5.0));
    CHECK(values.data() == before);
}

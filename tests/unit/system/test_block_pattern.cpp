// SPDX-License-Identifier: BSD-3-Clause
#include "system/rows/block_pattern.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

using namespace frond;
using namespace frond::detail;

TEST_CASE("cuts have about as many entries each, and own every row once") {
    const std::vector<std::vector<count_t>> cases{
        {}, {5}, {0, 0, 0}, {1, 1, 1, 1, 1, 1}, {100, 1, 1, 1}, {1, 1, 1, 100}};
    for (const std::vector<count_t>& entries : cases)
        for (const index_t ranks : {1, 2, 3, 7}) {
            const RowCuts cuts = equal_cuts(entries, ranks);
            REQUIRE(cuts.first.size() == static_cast<std::size_t>(ranks) + 1);
            CHECK(cuts.first.front() == 0);
            CHECK(cuts.order() == static_cast<index_t>(entries.size()));
            const count_t all = std::accumulate(entries.begin(), entries.end(), count_t{0});
            for (index_t r = 0; r < ranks; ++r) {
                CHECK(cuts.rows(r) >= 0);
                const count_t mine =
                    std::accumulate(entries.begin() + cuts.begin(r), entries.begin() + cuts.end(r), count_t{0});
                const count_t largest =
                    cuts.rows(r) > 0 ? *std::max_element(entries.begin() + cuts.begin(r), entries.begin() + cuts.end(r))
                                     : 0;
                if (r + 1 < ranks) CHECK(mine <= all / ranks + largest + 1);
                for (index_t row = cuts.begin(r); row < cuts.end(r); ++row) CHECK(cuts.owner(row) == r);
            }
        }
    CHECK(equal_cuts(std::vector<count_t>{1, 1, 1, 1, 1, 1}, 3).first == std::vector<index_t>{0, 2, 4, 6});
}

TEST_CASE("entries in any order, some twice, become ascending rows") {
    BlockPattern pattern;
    pattern.cuts.first = {0, 2, 5, 5};
    pattern.rank = 1;  // rows 2, 3, 4
    const std::vector<BlockEntry> entries{{2, 4}, {0, 3}, {2, 0}, {0, 3}, {2, 4}, {0, 1}};
    const std::vector<count_t> place = sort_entries(entries, pattern);
    CHECK(pattern.begin == std::vector<count_t>{0, 2, 2, 4});
    CHECK(pattern.column == std::vector<index_t>{1, 3, 0, 4});
    CHECK(place == std::vector<count_t>{3, 1, 2, 1, 3, 0});
    pattern.rank = 2;  // without rows
    CHECK(sort_entries({}, pattern).empty());
    CHECK(pattern.begin == std::vector<count_t>{0});
}

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "frond/base/types.hpp"

namespace frond::detail {

/// Row blocks: rank r has the rows first[r] .. first[r + 1] of A, B and X.
struct RowCuts {
    std::vector<index_t> first;  // [ranks + 1]

    index_t order() const { return first.back(); }
    index_t begin(index_t rank) const { return first[static_cast<std::size_t>(rank)]; }
    index_t end(index_t rank) const { return first[static_cast<std::size_t>(rank) + 1]; }
    index_t rows(index_t rank) const { return end(rank) - begin(rank); }
    /// Ranks without rows own none.
    index_t owner(index_t row) const {
        return static_cast<index_t>(std::upper_bound(first.begin(), first.end(), row) - first.begin()) - 1;
    }
};

/// Blocks with about as many entries each. entries [order]: of each row.
inline RowCuts equal_cuts(std::span<const count_t> entries, index_t ranks) {
    count_t all = 0;
    for (const count_t e : entries) all += e;
    RowCuts cuts;
    cuts.first.push_back(0);
    count_t before = 0;
    index_t row = 0;
    const auto order = static_cast<index_t>(entries.size());
    for (index_t r = 1; r < ranks; ++r) {
        while (row < order && before * ranks < all * r) before += entries[static_cast<std::size_t>(row++)];
        cuts.first.push_back(row);
    }
    cuts.first.push_back(order);
    return cuts;
}

}  // namespace frond::detail

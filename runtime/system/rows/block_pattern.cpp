// SPDX-License-Identifier: BSD-3-Clause
#include "system/rows/block_pattern.hpp"

#include <algorithm>

namespace frond::detail {

std::vector<count_t> sort_entries(std::span<const BlockEntry> entries, BlockPattern& pattern) {
    const auto rows = static_cast<std::size_t>(pattern.rows());
    std::vector<count_t> bucket(rows + 1, 0);
    for (const BlockEntry& e : entries) ++bucket[static_cast<std::size_t>(e.row) + 1];
    for (std::size_t i = 0; i < rows; ++i) bucket[i + 1] += bucket[i];
    std::vector<count_t> by_row(entries.size()), next(bucket.begin(), bucket.end() - 1);
    for (std::size_t k = 0; k < entries.size(); ++k)
        by_row[static_cast<std::size_t>(next[static_cast<std::size_t>(entries[k].row)]++)] = static_cast<count_t>(k);

    const auto column_of = [&](count_t k) { return entries[static_cast<std::size_t>(k)].column; };
    std::vector<count_t> place(entries.size());
    pattern.begin.assign(1, 0);
    pattern.column.clear();
    for (std::size_t i = 0; i < rows; ++i) {
        const auto first = by_row.begin() + bucket[i], last = by_row.begin() + bucket[i + 1];
        std::sort(first, last, [&](count_t k, count_t l) { return column_of(k) < column_of(l); });
        for (auto k = first; k != last; ++k) {
            const bool known = k != first && column_of(*(k - 1)) == column_of(*k);
            if (!known) pattern.column.push_back(column_of(*k));
            place[static_cast<std::size_t>(*k)] = static_cast<count_t>(pattern.column.size()) - 1;
        }
        pattern.begin.push_back(static_cast<count_t>(pattern.column.size()));
    }
    return place;
}

}  // namespace frond::detail

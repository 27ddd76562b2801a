// SPDX-License-Identifier: BSD-3-Clause
#include "entry_list.hpp"

#include <fmt/format.h>

namespace frond::detail {

void check_plausible_size(const std::string& path, count_t rows, count_t cols, count_t entries) {
    constexpr count_t always_accepted = count_t{1} << 24;
    constexpr count_t empty_per_entry = 64;
    const count_t limit = std::max(always_accepted, empty_per_entry * entries);
    if (rows > limit || cols > limit)
        throw InvalidMatrix(fmt::format("{}: {} rows and {} columns for {} entries: more than {} would be empty; "
                                        "correct the size line or drop empty rows and columns",
                                        path, rows, cols, entries, std::max(rows, cols) - entries),
                            path);
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/for_ranges.hpp"

namespace frond::detail {

/// body(row) for all rows of a block, on the workers where there are many; a worker does so many at once.
template <class Body>
void for_block_rows(index_t rows, const ParallelFor& parallel_for, const Body& body) {
    constexpr count_t rows_at_once = 4096;
    for_ranges(rows, rows_at_once, parallel_for, [&](count_t, count_t first, count_t end) {
        for (count_t i = first; i < end; ++i) body(static_cast<index_t>(i));
    });
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "frond/base/parallel_for.hpp"
#include "frond/base/types.hpp"

namespace frond {

/// Ranges of that length that 0 .. size - 1 falls into; the last one may be shorter.
inline count_t count_ranges(count_t size, count_t length) { return (size + length - 1) / length; }

/// body(range, first, end) for all of them, on the workers where there are several. Ranges depend on nothing but size and
/// length.
template <class Body>
void for_ranges(count_t size, count_t length, const ParallelFor& parallel_for, const Body& body) {
    const count_t ranges = count_ranges(size, length);
    const auto one = [&](count_t r) { body(r, r * length, std::min(size, (r + 1) * length)); };
    if (parallel_for && ranges > 1) return parallel_for(ranges, one);
    for (count_t r = 0; r < ranges; ++r) one(r);
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/for_ranges.hpp"

namespace frond::detail {

/// Elements of a list that a worker takes at a time.
constexpr count_t elements_per_chunk = count_t{1} << 15;

inline count_t chunks_of(count_t size) { return count_ranges(size, elements_per_chunk); }

/// body(chunk, first, end) for all chunks of a list of this size, on the workers where there are several.
template <class Body>
void for_chunks(count_t size, const ParallelFor& parallel_for, const Body& body) {
    for_ranges(size, elements_per_chunk, parallel_for, body);
}

}  // namespace frond::detail

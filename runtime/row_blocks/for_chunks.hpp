// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "frond/base/parallel_for.hpp"
#include "frond/base/types.hpp"

namespace frond::detail {

/// Elements of a list that a worker takes at a time.
constexpr count_t elements_per_chunk = count_t{1} << 15;

inline count_t chunks_of(count_t size) { return (size + elements_per_chunk - 1) / elements_per_chunk; }

/// body(chunk, first, end) for all chunks of a list of this size, on the workers where there are several. Chunks depend on
/// nothing but the size.
template <class Body>
void for_chunks(count_t size, const ParallelFor& parallel_for, const Body& body) {
    const auto chunk = [&](count_t c) {
        body(c, c * elements_per_chunk, std::min(size, (c + 1) * elements_per_chunk));
    };
    if (parallel_for && chunks_of(size) > 1) return parallel_for(chunks_of(size), chunk);
    for (count_t c = 0; c < chunks_of(size); ++c) chunk(c);
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <algorithm>

namespace frond::cpu {

/// Keeps the factors arriving a constant distance ahead of the sweep. The parts of small fronts are
/// too short for the processor to foresee: without this, two thirds of the rate on 2D problems.
/// Always inlined: GCC 12 takes a function that only prefetches for one without effect and drops
/// the calls.
template <class T>
class ChunkPrefetch {
public:
    ChunkPrefetch(const T* chunk, count_t scalars) : begin_(chunk), end_(chunk + scalars) {}

    /// The sweep is at part [size] and goes up. Large parts are foreseen: only what follows is
    /// fetched.
    [[gnu::always_inline]] void ahead(const T* part, count_t size) const {
        fetch(part - begin_ + (size <= largest ? distance : size), part - begin_ + size + distance);
    }

    /// The sweep is at part [size] and goes down.
    [[gnu::always_inline]] void behind(const T* part, count_t size) const {
        fetch(part - begin_ - distance, part - begin_ + (size <= largest ? size - distance : 0));
    }

private:
    static constexpr count_t line = 64 / sizeof(T);
    static constexpr count_t distance = 8192 / sizeof(T);
    static constexpr count_t largest = 32768 / sizeof(T);

    [[gnu::always_inline]] void fetch(count_t first, count_t last) const {
        last = std::min(last, end_ - begin_);
        for (count_t i = std::max(first, count_t{0}); i < last; i += line) __builtin_prefetch(begin_ + i);
    }

    const T* begin_;
    const T* end_;
};

}  // namespace frond::cpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "device_scalar.hpp"
#include "frond/base/types.hpp"

namespace frond::gpu {

/// store(e, load(e)) for e in [0, count), shared by `threads`. The compiler cannot know that what is stored is not
/// what is loaded next: several loads are under way at once only where they are written like this.
template <class S, index_t rounds = 8, class Load, class Store>
__device__ void copy_in_rounds(index_t count, index_t thread, index_t threads, Load load, Store store) {
    for (index_t first = thread; first < count; first += rounds * threads) {
        S value[rounds];
#pragma unroll
        for (index_t r = 0; r < rounds; ++r)
            if (first + r * threads < count) value[r] = load(first + r * threads);
#pragma unroll
        for (index_t r = 0; r < rounds; ++r)
            if (first + r * threads < count) store(first + r * threads, value[r]);
    }
}

/// All threads of a block call it.
template <class S, class Load, class Store>
__device__ void copy_in_rounds(index_t count, Load load, Store store) {
    copy_in_rounds<S>(count, static_cast<index_t>(threadIdx.x), static_cast<index_t>(blockDim.x), load, store);
}

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Addresses that a recorded graph keeps although what they lead to lies elsewhere in the next run.
#pragma once

#include "frond/gpu/front_factor_views.hpp"
#include "vendor.hpp"

namespace frond::gpu {

/// The address in memory of one that is relative to a part; parts: where each begins, null for part 0.
template <class S>
__device__ S* in_memory(S* relative, unsigned char* const* parts) {
    const auto bits = reinterpret_cast<std::uintptr_t>(relative);
    constexpr std::uintptr_t distance = (std::uintptr_t{1} << part_shift) - 1;
    return reinterpret_cast<S*>(parts[bits >> part_shift] + (bits & distance));
}

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond::gpu {

/// Kernels that a step, a search for its pivots in the front, and a level of a tree start, about.
inline constexpr count_t launches_of_step = 3, launches_of_search = 2, launches_of_level = 5;

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond::gpu {

/// Kernels that a step, a search for its pivots in the front, a level of a tree, and a strip of a front start, about.
inline constexpr count_t launches_of_step = 3, launches_of_search = 2, launches_of_level = 5, launches_of_strip = 6;

}  // namespace frond::gpu

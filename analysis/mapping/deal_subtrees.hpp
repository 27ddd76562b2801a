// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "front_seconds.hpp"

namespace frond {

/// The costliest subtrees first, each to the device that has least to do. Ascending.
std::vector<SharedPart> deal_costliest_first(std::vector<index_t> subtrees, index_t devices,
                                             const FrontSeconds& seconds);

/// Ascending subtrees in as many blocks of neighbours as devices, the largest as small as may be, by bisection.
std::vector<SharedPart> deal_in_order(const std::vector<index_t>& subtrees, index_t devices,
                                      const FrontSeconds& seconds);

}  // namespace frond

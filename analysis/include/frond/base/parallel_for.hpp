// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "frond/base/types.hpp"

namespace frond {

/// Runs body(0) .. body(chunks - 1), in any order and on any threads, and returns when all have
/// ended. An empty function stands for the loop on the calling thread. The number of chunks never
/// depends on threads, so results do not either.
using ParallelFor = std::function<void(count_t chunks, const std::function<void(count_t chunk)>& body)>;

}  // namespace frond

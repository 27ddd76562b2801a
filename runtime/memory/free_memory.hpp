// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond::detail {

/// Memory that the system would give without swapping (MemAvailable, capped by the cgroup's limit).
count_t free_memory_bytes();

}  // namespace frond::detail

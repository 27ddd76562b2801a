// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond {

/// A message of static size before one of run-time size: what the receiver has to find room for. From a rank that has
/// stopped it comes as it was: without bytes.
struct Announcement {
    count_t bytes = 0;  // that the block takes, without its header
    count_t packed_bytes = 0;  // of its message
};

}  // namespace frond

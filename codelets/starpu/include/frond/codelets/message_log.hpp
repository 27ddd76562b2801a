// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "frond/base/types.hpp"

namespace frond {

/// What becomes of messages of objects and records, whose size nobody knows before StarPU packs them, and whose reading
/// may fail without StarPU's looking. Their data note it here from log_object_messages and log_record_messages on.
struct MessageLog {
    std::atomic<count_t> packed_bytes{0}, unpacked_bytes{0};
    /// The end of the latest message that was read: 0, -ESHUTDOWN (the sender had stopped), -ENOMEM or -EINVAL. Who
    /// reads it must be the thread that reads messages.
    std::atomic<int> status{0};
};

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "session/session_state.hpp"

namespace frond::detail {

struct MovedBytes {
    count_t to_devices = 0, from_devices = 0;
};

/// What tasks copied themselves since the last call, and what StarPU moved, for whatever job; the latter not where
/// the application started StarPU, since asking sets its counters back.
MovedBytes take_moved_bytes(const SessionState& session);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "runtime.hpp"

namespace frond::gpu {

inline constexpr bool times_recorded_work = true;
/// Two such events that happened one after the other are a millisecond apart, as any others are.
int record_event_in_graph(emulatedEvent_t event, emulatedStream_t);

}  // namespace frond::gpu

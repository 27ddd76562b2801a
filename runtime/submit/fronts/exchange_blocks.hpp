// SPDX-License-Identifier: BSD-3-Clause
// Contribution blocks, and delayed columns, between units of different ranks.
#pragma once

#include "submit/fronts/submit_front.hpp"

namespace frond::detail {

/// Makes `child` what the run of a unit of another rank is for its parent here: memory and handles of its block, and of
/// its delayed columns. Its bytes are reserved. @throws std::bad_alloc
template <class T>
void prepare_received(FactorizationContext<T>& context, FrontRun<T>& child);

/// Posts the receives of a child that was prepared; `parent` is submitted next.
template <class T>
void receive_block(FactorizationContext<T>& context, FrontRun<T>& parent, FrontRun<T>& child);

/// The block of a unit whose parent is of another rank has its memory from the start. Before the unit is submitted.
template <class T>
void prepare_sent(FactorizationContext<T>& context, FrontRun<T>& run);

/// Posts the sends of such a unit, which was submitted; what is sent is freed when it has gone.
template <class T>
void send_block(FactorizationContext<T>& context, FrontRun<T>& run);

/// Whether the unit has a parent of another rank.
template <class T>
bool is_sent(const FactorizationContext<T>& context, index_t front);

}  // namespace frond::detail

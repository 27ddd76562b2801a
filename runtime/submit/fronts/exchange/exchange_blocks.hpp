// SPDX-License-Identifier: BSD-3-Clause
// Contribution blocks, and delayed columns, between units of different ranks.
#pragma once

#include "submit/fronts/submit_front.hpp"

namespace frond::detail {

/// Gives `child` memory and handles of the tiles of its block that come from other ranks, and of the delayed columns of a
/// unit of another rank. Their bytes are reserved. @throws std::bad_alloc
template <class T>
void prepare_received(FactorizationContext<T>& context, FrontRun<T>& child);

/// Posts the receives of a child that was prepared; `parent` is submitted next.
template <class T>
void receive_block(FactorizationContext<T>& context, FrontRun<T>& parent, FrontRun<T>& child);

/// A block of which other ranks assemble a part has its memory from the start. Before the unit is submitted.
template <class T>
void prepare_sent(FactorizationContext<T>& context, FrontRun<T>& run);

/// Posts the sends of such a unit, which was submitted; the block is freed when they have gone and nothing here needs it.
template <class T>
void send_block(FactorizationContext<T>& context, FrontRun<T>& run);

/// Whether ranks other than this one assemble parts of the unit's block.
template <class T>
bool is_sent(const FactorizationContext<T>& context, index_t front);

}  // namespace frond::detail

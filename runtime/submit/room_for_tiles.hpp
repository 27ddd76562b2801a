// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"

namespace frond::detail {

/// Whether all cards have memory enough for tasks on tiles of the tree. With less their workers, each of which holds data of
/// its task and fetches the rest, may wait for each other's memory for ever. Where one has not, the report says why.
template <class T>
bool have_room_for_tiles(FactorsState<T>& state);

/// The least that tasks on tiles want of a device.
template <class T>
count_t bytes_for_tiles(const Analysis& analysis);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"

namespace frond::detail {

/// Before a solve by several ranks, whose tasks read factors in the host's memory: what devices have made of this rank's
/// goes there, unless it has. The units of its branches are those of the state from then on. Nothing else solves meanwhile.
/// @throws OutOfMemory where the host has no room
template <class T>
void bring_to_host(const FactorsState<T>& state);

}  // namespace frond::detail

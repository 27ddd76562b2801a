// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "factors/tree_factors.hpp"

namespace frond::detail {

/// Before a solve by several ranks, whose tasks read factors in the host's memory. The caller holds factors.place_mutex.
///
/// Brings the factors that devices made of this rank's branches to the host, unless they are there. From then on the
/// units of the branches belong to the factors. False: another substitution uses them on the device.
/// @throws OutOfMemory where the host has no room, DeviceError
template <class T>
bool bring_branches_to_host(const TreeFactors<T>& factors);

/// The tiles of the fronts, except of those that are solved with on a device (as fronts_on_device says).
template <class T>
void bring_tiles_to_host(const TreeFactors<T>& factors, const std::vector<std::uint8_t>& fronts_on_device);

}  // namespace frond::detail

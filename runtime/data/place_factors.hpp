// SPDX-License-Identifier: BSD-3-Clause
// Memory of factors that a device makes without tasks.
#pragma once

#include <vector>

#include "frond/gpu/placed_front.hpp"

namespace frond::detail {

template <class T>
class FactorsState;

template <class T>
count_t factor_bytes_on_device(const Analysis& analysis);

/// One block of the device's memory for all factors. @throws DeviceError
template <class T>
void place_factors_on_device(FactorsState<T>& state, unsigned node);

/// The session's pinned memory, tile by tile. @throws OutOfMemory also where no more can be pinned
template <class T>
void place_factors_on_host(FactorsState<T>& state);
/// Where they are; as the tree's fronts.
template <class T>
std::vector<gpu::PlacedFront<T>> factors_on_host(const FactorsState<T>& state);

}  // namespace frond::detail

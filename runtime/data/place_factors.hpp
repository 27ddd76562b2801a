// SPDX-License-Identifier: BSD-3-Clause
// Memory of factors that a device makes without tasks.
#pragma once

#include "frond/analysis/analysis.hpp"

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

}  // namespace frond::detail

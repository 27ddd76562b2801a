// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace frond::detail {

template <class T>
class FactorsState;

/// Before cores solve with factors that are in both memories: pinned memory of the host for copies of the parts on devices,
/// which StarPU brings there, subtree after subtree and tile after tile, when tasks of cores read them. Nothing is done where
/// all factors are on devices, where there is such memory, or the host has too little, and while others read the factors;
/// StarPU then allocates for each tile. cancel: may be null. @throws Cancelled
template <class T>
void make_room_for_copies(const FactorsState<T>& state, const std::atomic<bool>* cancel);

}  // namespace frond::detail

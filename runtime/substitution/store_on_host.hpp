// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "frond/base/types.hpp"

namespace frond::detail {

template <class T>
class FactorsState;

/// Parts of the factors that are on devices go to pinned memory of the host, each as a whole by a task, and leave the
/// devices; subtrees and tiles are there then. The caller holds the lock of the factors' DeviceSolve, and nobody
/// holds them on a device. False: none is there, or the host has too little memory. After an exception they are where they
/// were. cancel: may be null; read between parts.
/// @throws OutOfMemory, DeviceError, Cancelled
template <class T>
bool store_on_host(const FactorsState<T>& state, const std::atomic<bool>* cancel);

/// True: the host has room for so many more bytes of factors: in what a given budget left to solves, else in free
/// memory.
template <class T>
bool has_host_room(const FactorsState<T>& state, count_t bytes);

}  // namespace frond::detail

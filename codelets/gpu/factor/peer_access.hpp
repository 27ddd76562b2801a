// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/gpu/devices.hpp"

namespace frond::gpu {

/// Whether kernels of either device read and write the other's memory, where they are let.
bool reach_each_other(int device, int other);

/// Lets kernels of devices[number], which is current, read and write the memory of the others. @throws DeviceError
void open_to_peers(const std::vector<Device>& devices, std::size_t number);

}  // namespace frond::gpu

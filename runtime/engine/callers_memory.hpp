// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "frond/gpu/callers_stream.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::detail {

/// Memory of the caller, in a session without a device. name: for the message.
/// @throws InvalidArgument when the host cannot read it
void expect_host_memory(const void* memory, const std::string& name);

/// Where the caller's memory is, in a session with this first device.
/// @throws InvalidArgument when it is on another one; DeviceError
gpu::MemoryPlace checked_place(const void* memory, const gpu::Device& device, const std::string& name);

}  // namespace frond::detail

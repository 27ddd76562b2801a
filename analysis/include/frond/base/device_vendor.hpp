// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace frond {

/// Whose devices a build of Frond has tasks for; names and texts for people are in frond/enum_text.hpp.
enum class DeviceVendor : std::uint8_t {
    none,
    nvidia,
    amd,
    emulated,  // the host plays a device: no card is there
};

}  // namespace frond

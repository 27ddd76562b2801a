// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/rates.hpp"

namespace frond::gpu {

/// Its products and its link; the rest stays. Some milliseconds. @throws DeviceError  the device refuses
void measure_device(int device, MeasuredRates& measured);

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
// What the system says this process holds (Linux, /proc/self).
#pragma once

namespace frond::bench {

/// Bytes in memory now.
double resident_bytes();

/// Most bytes in memory at one time since the start, or since the last restart_peak().
/// @throws std::runtime_error  /proc/self/status cannot be read
double peak_resident_bytes();

/// The peak starts anew at what is resident now.
/// @throws std::runtime_error  the system does not allow it
void restart_peak();

}  // namespace frond::bench

// SPDX-License-Identifier: BSD-3-Clause
// Suites of test cases that show nothing without a device, or with one (support/requirement.hpp).
#pragma once

namespace frond::test {

inline constexpr const char* needs_device = "a device";
inline constexpr const char* needs_no_device = "a session without devices";
/// Drivers log a fault, and under MPS it ends other processes, too.
inline constexpr const char* needs_faults = "a device that may fault (FROND_TEST_FAULTS)";

}  // namespace frond::test

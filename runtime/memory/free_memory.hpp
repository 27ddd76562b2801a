// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "frond/base/types.hpp"

namespace frond::detail {

/// Memory that Frond can come to hold more of without swapping: what the system would give (MemAvailable, and no more
/// than the control groups leave), and what the heap of the process holds without using it.
/// system_folder: see frond/base/hardware.hpp.
count_t free_memory_bytes(const std::string& system_folder = "");

/// How often that was asked; for tests. It reads some files, and takes as long as a small solve.
count_t free_memory_questions() noexcept;

/// What takes no more than this does not ask.
inline constexpr count_t too_small_to_ask = count_t{32} << 20;

}  // namespace frond::detail

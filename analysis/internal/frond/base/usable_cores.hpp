// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "frond/base/types.hpp"

namespace frond {

/// Cores that the calling thread may keep busy, and with it what it starts: those that it may run on, and no more than
/// the quota of processor time of its control groups, to the nearest whole number, at least 1. 0: unknown.
/// system_folder: see frond/base/control_groups.hpp.
index_t usable_cores(const std::string& system_folder = "") noexcept;

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace frond::cli {

/// "2026-11-24", of universal time; empty where the system has no clock.
std::string today();

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/session.hpp"
#include "machine.hpp"

#include <string>

namespace frond::cli {

/// Whether the session's tasks run on the cards of gpu's vendor.
bool is_used(const SessionInfo& session, const Gpu& gpu);

/// How many workers there are for it, or why it is not used.
std::string gpu_use(const SessionInfo& session, const Gpu& gpu);

} // namespace frond::cli

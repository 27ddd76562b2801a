// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/session.hpp"
#include "machine.hpp"

#include <string>

namespace frond::cli {

/// Whether the session uses this card: the first ones of its vendor, as many as the session has. A runtime that was
/// told to show others first (CUDA_VISIBLE_DEVICES) numbers them otherwise.
bool is_used(const SessionInfo& session, const Gpu& gpu);

/// Whose cards this build has device tasks for.
std::string tasks_of_build(const SessionInfo& session);

/// What runs on it, or why it is not used.
std::string gpu_use(const SessionInfo& session, const Gpu& gpu);

/// The use of the device that the host plays, in a build that has one.
std::string emulated_device_use(const SessionInfo& session);

}  // namespace frond::cli

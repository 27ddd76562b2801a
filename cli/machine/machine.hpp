// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/hardware.hpp"
#include "frond/session.hpp"

#include <filesystem>
#include <string>

namespace frond::cli {

struct Processor {
    std::string name;  // "AMD EPYC 9755"
    int cores = 0;  // that this process may use
    bool has_avx512 = false;
};

/// root: "/" (tests give a folder of their own).
Processor read_processor(const std::filesystem::path& root = "/");

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

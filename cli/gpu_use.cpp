// SPDX-License-Identifier: BSD-3-Clause
#include "gpu_use.hpp"

#include "terminal/units.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

bool is_nvidia(const Gpu& gpu) {
    return gpu.vendor == "NVIDIA";
}

/// The build has tasks for cards of this vendor.
bool is_known(const SessionInfo& session, const Gpu& gpu) {
    return session.gpu_vendor == (is_nvidia(gpu) ? "CUDA" : "HIP");
}

} // namespace

bool is_used(const SessionInfo& session, const Gpu& gpu) {
    return is_known(session, gpu) && gpu.number < session.gpus;
}

std::string tasks_of_build(const SessionInfo& session) {
    if (session.gpu_vendor.empty()) return "this build has no tasks for any";
    return fmt::format("this build has tasks for {} cards", session.gpu_vendor == "CUDA" ? "NVIDIA" : "AMD");
}

std::string gpu_use(const SessionInfo& session, const Gpu& gpu) {
    if (is_used(session, gpu))
        return fmt::format("used for {}, and by the tasks of other trees ({})",
                           gpu.number == 0 ? "whole trees and solves"
                                           : "parts of whole trees, where it reaches the first card's memory",
                           counted((session.cuda_workers + session.hip_workers) / session.gpus, "worker"));
    if (!is_known(session, gpu))
        return fmt::format("not used: this build has no tasks for it; they take {} and a StarPU built "
                           "with {}",
                           is_nvidia(gpu) ? "nvcc" : "hipcc", is_nvidia(gpu) ? "CUDA" : "HIP");
    if (!session.gpu_advice.empty()) return "not used: " + session.gpu_advice;
    if (session.gpus > 0)
        return fmt::format("not used: gpus = {}, as asked for or as many as its runtime shows", session.gpus);
    return "not used: StarPU has no worker for it, or gpus = 0 was asked for";
}

} // namespace frond::cli

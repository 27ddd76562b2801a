// SPDX-License-Identifier: BSD-3-Clause
#include "machine.hpp"

#include "frond/base/hardware.hpp"
#include "frond/cpu/blas_info.hpp"
#include "frond/enum_text.hpp"
#include "terminal/table.hpp"

#include <fmt/format.h>

namespace frond::cli {

Processor read_processor(const std::filesystem::path& root) {
    return {processor_name(root), usable_cores(), processor_has_avx512()};
}

namespace {

bool is_nvidia(const Gpu& gpu) { return gpu.vendor == "NVIDIA"; }

/// The build has tasks for cards of this vendor.
bool is_known(const SessionInfo& session, const Gpu& gpu) {
    return session.gpu_vendor == (is_nvidia(gpu) ? DeviceVendor::nvidia : DeviceVendor::amd);
}

}  // namespace

bool is_used(const SessionInfo& session, const Gpu& gpu) { return is_known(session, gpu) && gpu.number < session.gpus; }

std::string tasks_of_build(const SessionInfo& session) {
    if (session.gpu_vendor == DeviceVendor::none) return "this build has no tasks for any";
    const auto vendor = static_cast<std::size_t>(session.gpu_vendor);
    return fmt::format("this build has tasks for {}", enum_names<DeviceVendor>()[vendor].text);
}

std::string gpu_use(const SessionInfo& session, const Gpu& gpu) {
    if (is_used(session, gpu))
        return fmt::format("used for {}, and by the tasks of other trees ({})",
                           gpu.number == 0 ? "whole trees and solves"
                                           : "parts of whole trees, where it reaches the first card's memory",
                           counted((session.cuda_workers + session.hip_workers) / session.gpus, "worker"));
    if (session.gpu_vendor == DeviceVendor::emulated)
        return fmt::format("not used: {}; build without FROND_EMULATED_DEVICE", tasks_of_build(session));
    if (!is_known(session, gpu))
        return fmt::format(
            "not used: this build has no tasks for it; they take {} and a StarPU built "
            "with {}",
            is_nvidia(gpu) ? "nvcc" : "hipcc", is_nvidia(gpu) ? "CUDA" : "HIP");
    if (!session.gpu_advice.empty()) return "not used: " + session.gpu_advice;
    if (session.gpus > 0)
        return fmt::format("not used: gpus = {}, as asked for or as many as its runtime shows", session.gpus);
    return "not used: StarPU has no worker for it, or gpus = 0 was asked for";
}

std::string emulated_device_use(const SessionInfo& session) {
    if (session.gpus > 0) return "used for whole trees and solves";
    return "not used: " + (session.gpu_advice.empty() ? "gpus = 0 was asked for" : session.gpu_advice);
}

}  // namespace frond::cli

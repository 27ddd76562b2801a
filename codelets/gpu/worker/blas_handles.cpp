// SPDX-License-Identifier: BSD-3-Clause
#include "worker/blas_handles.hpp"

#include <map>
#include <mutex>
#include <vector>

#include "check.hpp"
#include "device_memory.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::gpu {
namespace {

/// A tree and a solve use as many handles. Each has memory of its own on the device, up to 32 MiB.
constexpr std::size_t most_kept = 8;

struct KeptHandles {
    std::mutex mutex;
    std::map<int, std::vector<BlasHandle>> of_device;
};

/// Never destroyed: sessions in static variables end late.
KeptHandles& kept() {
    static KeptHandles& all = *new KeptHandles;
    return all;
}

int current_device() {
    int device = 0;
    check(FROND_GPU(GetDevice)(&device), "asking for the current device");
    return device;
}

void destroy_handle(BlasHandle handle) noexcept {
    if (!has_lost_device()) static_cast<void>(blas_library().destroy(handle));
}

BlasHandle kept_handle() {
    KeptHandles& all = kept();
    const std::lock_guard lock(all.mutex);
    std::vector<BlasHandle>& here = all.of_device[current_device()];
    if (here.empty()) return nullptr;
    const BlasHandle last = here.back();
    here.pop_back();
    return last;
}

}  // namespace

BlasHandle take_blas_handle() {
    if (const BlasHandle known = kept_handle(); known != nullptr) return known;
    BlasHandle handle = nullptr;
    check_blas(blas_library().create(&handle), "create");
    try {
        check_blas(blas_library().set_atomics_mode(handle, BlasNames::no_atomics), "set_atomics_mode");
    } catch (...) {
        destroy_handle(handle);
        throw;
    }
    return handle;
}

void keep_blas_handle(BlasHandle handle) noexcept {
    try {
        check_blas(blas_library().set_stream(handle, nullptr), "set_stream");  // its own will be gone
        KeptHandles& all = kept();
        const std::lock_guard lock(all.mutex);
        std::vector<BlasHandle>& here = all.of_device[current_device()];
        if (here.size() < most_kept) return here.push_back(handle);
    } catch (...) {  // nobody would find it
    }
    destroy_handle(handle);
}

void destroy_kept_blas_handles() noexcept {
    KeptHandles& all = kept();
    const std::lock_guard lock(all.mutex);
    for (const auto& [device, handles] : all.of_device) try {
            const CurrentDevice current(device);
            for (const BlasHandle handle : handles) destroy_handle(handle);
        } catch (const DeviceError&) {  // the device is lost, and all on it
        }
    all.of_device.clear();
}

}  // namespace frond::gpu

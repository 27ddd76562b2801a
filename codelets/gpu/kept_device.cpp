// SPDX-License-Identifier: BSD-3-Clause
// What outlives a call of StarPU or a fault of a kernel: the application's device, and the devices that work.
#include <atomic>

#include "check.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::gpu {
namespace {

std::atomic<bool> lost{false};

/// True: the current device works. The thread's own default stream waits for nothing else, and asking it ends no
/// recording of the application's; the runtime answers with the fault, if there was one, whatever it is asked.
bool current_device_works() noexcept {
    const auto status = FROND_GPU(StreamQuery)(FROND_GPU(StreamPerThread));
    if (status == FROND_GPU(Success)) return true;
    static_cast<void>(FROND_GPU(GetLastError)());
    return status == FROND_GPU(ErrorNotReady) || status == FROND_GPU(ErrorStreamCaptureUnsupported);
}

}  // namespace

KeptDevice::KeptDevice(bool wanted) noexcept {
    if (!wanted || FROND_GPU(GetDevice)(&before_) == FROND_GPU(Success)) return;
    static_cast<void>(FROND_GPU(GetLastError)());
    before_ = -1;
}

/// Choosing a device makes its context: only where another one has come in between.
KeptDevice::~KeptDevice() {
    int now = -1;
    if (before_ < 0 || (FROND_GPU(GetDevice)(&now) == FROND_GPU(Success) && now == before_)) return;
    ignore(FROND_GPU(SetDevice)(before_));
}

bool works(unsigned memory_node) noexcept {
    if (starpu_node_get_kind(memory_node) == STARPU_CPU_RAM) return true;
    const KeptDevice kept;
    const auto status = FROND_GPU(SetDevice)(starpu_memory_node_get_devid(memory_node));
    ignore(status);
    if (status == FROND_GPU(Success) && current_device_works()) return true;
    lost.store(true);
    return false;
}

bool has_lost_device() noexcept { return lost.load(); }

}  // namespace frond::gpu

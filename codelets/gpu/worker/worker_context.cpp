// SPDX-License-Identifier: BSD-3-Clause
#include "worker_context.hpp"

#include <starpu.h>

#include <array>
#include <memory>
#include <string>

#include "check.hpp"
#include "frond/gpu/devices.hpp"
#include "worker/blas_handles.hpp"

namespace frond::gpu {
namespace {

/// The contexts by the number of the worker; only this worker touches its entry.
using Contexts = std::array<std::unique_ptr<WorkerContext>, STARPU_NMAXWORKERS>;

Contexts& contexts() {
    static Contexts& all = *new Contexts;
    return all;
}

void release_mine(void*) {
    auto& mine = contexts()[static_cast<std::size_t>(starpu_worker_get_id())];
    if (mine == nullptr) return;
    mine->device.release();
    mine->pinned.release();
    if (mine->blas != nullptr) keep_blas_handle(mine->blas);
    mine.reset();
}

BlasHandle blas_of_worker() {
    const BlasHandle blas = take_blas_handle();
    try {
        check_blas(blas_library().set_stream(blas, task_stream()), "set_stream");
    } catch (...) {
        keep_blas_handle(blas);
        throw;
    }
    return blas;
}

}  // namespace

DeviceRoom::Use ScratchMemory::use() const noexcept {
    return where_ == Where::device ? DeviceRoom::Use::scratch : DeviceRoom::Use::pinned;
}

bool ScratchMemory::grow(std::size_t bytes) noexcept {
    if (bytes <= bytes_) return true;
    if (!device_room().admits(use())) return false;
    const std::size_t rounded = (bytes + bytes / 4 + 4095) / 4096 * 4096;
    void* larger = allocated(rounded);
    if (larger == nullptr && memory_ != nullptr) {  // perhaps in place of the old one
        release();
        larger = allocated(rounded);
    }
    if (larger == nullptr) return false;
    release();
    memory_ = larger;
    bytes_ = rounded;
    device_room().add(use(), static_cast<count_t>(bytes_));
    return true;
}

/// Null when there is no room.
void* ScratchMemory::allocated(std::size_t bytes) const noexcept {
    void* memory = nullptr;
    const auto status = where_ == Where::device ? FROND_GPU(Malloc)(&memory, bytes) : allocate_pinned(&memory, bytes);
    ignore(status);
    return status == FROND_GPU(Success) ? memory : nullptr;
}

void* ScratchMemory::at_least(std::size_t bytes) {
    if (grow(bytes)) return memory_;
    throw DeviceError("no room for " + std::to_string(bytes) +
                      (where_ == Where::device ? " bytes of scratch memory on the device" : " bytes of pinned memory"));
}

void ScratchMemory::release() noexcept {
    if (memory_ != nullptr) {
        device_room().remove(use(), static_cast<count_t>(bytes_));
        if (!has_lost_device()) ignore(where_ == Where::device ? FROND_GPU(Free)(memory_) : free_pinned(memory_));
    }
    memory_ = nullptr;
    bytes_ = 0;
}

void prepare_worker_contexts() { contexts(); }

WorkerContext& worker_context() {
    auto& mine = contexts()[static_cast<std::size_t>(starpu_worker_get_id())];
    if (mine == nullptr) {
        auto fresh = std::make_unique<WorkerContext>();
        fresh->blas = blas_of_worker();
        mine = std::move(fresh);
    }
    return *mine;
}

void release_worker_contexts() noexcept {
    starpu_execute_on_each_worker(release_mine, nullptr, device_workers);
    destroy_kept_blas_handles();
}

}  // namespace frond::gpu

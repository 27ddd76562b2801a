// SPDX-License-Identifier: BSD-3-Clause
#include "worker_context.hpp"

#include <starpu.h>

#include <array>
#include <memory>

#include "check.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::gpu {
namespace {

/// By worker number; each entry is touched by its worker only.
std::array<std::unique_ptr<WorkerContext>, STARPU_NMAXWORKERS>& contexts() {
    static std::array<std::unique_ptr<WorkerContext>, STARPU_NMAXWORKERS> all;
    return all;
}

void release_mine(void*) {
    auto& mine = contexts()[static_cast<std::size_t>(starpu_worker_get_id())];
    if (mine == nullptr) return;
    mine->device.release();
    mine->pinned.release();
    if (mine->blas != nullptr) blas_library().destroy(mine->blas);
    mine.reset();
}

}  // namespace

void* ScratchMemory::at_least(std::size_t bytes) {
    if (bytes <= bytes_) return memory_;
    release();
    const std::size_t rounded = (bytes + bytes / 4 + 4095) / 4096 * 4096;
    if (where_ == Where::device)
        check(FROND_GPU(Malloc)(&memory_, rounded), "allocating scratch memory");
    else
        check(FROND_GPU(MallocHost)(&memory_, rounded), "allocating pinned memory");
    bytes_ = rounded;
    return memory_;
}

void ScratchMemory::release() noexcept {
    if (memory_ != nullptr) {
        if (where_ == Where::device)
            static_cast<void>(FROND_GPU(Free)(memory_));
        else
            static_cast<void>(FROND_GPU(FreeHost)(memory_));
    }
    memory_ = nullptr;
    bytes_ = 0;
}

void prepare_worker_contexts() { contexts(); }

WorkerContext& worker_context() {
    auto& mine = contexts()[static_cast<std::size_t>(starpu_worker_get_id())];
    if (mine == nullptr) {
        auto fresh = std::make_unique<WorkerContext>();
        check_blas(blas_library().create(&fresh->blas), "create");
        check_blas(blas_library().set_stream(fresh->blas, task_stream()), "set_stream");
        mine = std::move(fresh);
    }
    return *mine;
}

void release_worker_contexts() noexcept { starpu_execute_on_each_worker(release_mine, nullptr, device_workers); }

}  // namespace frond::gpu

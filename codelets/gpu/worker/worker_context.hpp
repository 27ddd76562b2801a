// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "blas_library.hpp"
#include "frond/base/types.hpp"
#include "frond/codelets/device_room.hpp"

namespace frond::gpu {

/// Memory that only grows: a task allocates nothing once its worker has seen one as large.
class ScratchMemory {
public:
    enum class Where : bool { device, pinned_host };

    explicit ScratchMemory(Where where) : where_(where) {}
    ScratchMemory(const ScratchMemory&) = delete;
    ScratchMemory& operator=(const ScratchMemory&) = delete;

    /// Contents are lost when it grows. @throws DeviceError
    void* at_least(std::size_t bytes);
    void release() noexcept;

private:
    /// Beside the old memory where there is room for both, else in place of it; false leaves the old one, or none.
    bool grow(std::size_t bytes) noexcept;
    void* allocated(std::size_t bytes) const noexcept;
    DeviceRoom::Use use() const noexcept;

    Where where_;
    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
};

/// What a StarPU worker of a device keeps from task to task. One task of a worker runs at a time, and
/// every task of Frond has drained its stream when it returns.
struct WorkerContext {
    BlasHandle blas = nullptr;
    ScratchMemory device{ScratchMemory::Where::device};
    ScratchMemory pinned{ScratchMemory::Where::pinned_host};
};

/// The context of the calling worker, made at its first call. @throws DeviceError
WorkerContext& worker_context();

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "frond/base/types.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/codelets/starpu_start.hpp"

namespace frond::detail {

/// Memory or an object that tasks use. StarPU hears of it when it is first asked for its handle; a task that runs at once
/// needs no handle.
class TaskData {
public:
    /// interface: as StarPU's functions take it, and as tasks find it among their buffers. home: StarPU's node that has the
    /// memory; -1: there is none, and StarPU takes some where a task first writes.
    template <class Interface>
    TaskData(const Interface& interface, starpu_data_interface_ops& operations, int home)
        : operations_(&operations), home_(home) {
        static_assert(sizeof(Interface) <= sizeof interface_ && std::is_trivially_copyable_v<Interface>);
        std::memcpy(interface_, &interface, sizeof interface);
    }
    /// Takes a handle that somebody registered.
    explicit TaskData(starpu_data_handle_t handle) : handle_(handle) {}
    TaskData(const TaskData&) = delete;
    TaskData& operator=(const TaskData&) = delete;

    /// Registers the data at the first call. Of the calls of several threads one does.
    starpu_data_handle_t handle() noexcept;
    /// Null: not registered.
    starpu_data_handle_t known_handle() const noexcept { return handle_.load(std::memory_order_acquire); }
    int home() const noexcept { return home_; }
    /// They are in the host's memory, and nobody has asked for a handle.
    bool is_plain() const noexcept { return known_handle() == nullptr && home_ == STARPU_MAIN_RAM; }
    /// StarPU has the data and can free what it has of them, which may be on a device.
    bool is_with_starpu() const noexcept;

    /// For a task on the calling thread. The data are in the host's memory.
    void* buffer() noexcept;
    bool is_matrix() const noexcept;
    count_t bytes() const noexcept;

    /// Memory of a matrix that was made without. Also while tasks use it that StarPU has not begun, and after the handle was
    /// released to them.
    void give_memory(void* memory) noexcept;

private:
    const starpu_data_interface_ops* operations_ = nullptr;
    int home_ = STARPU_MAIN_RAM;
    std::atomic<starpu_data_handle_t> handle_{nullptr};
    StarpuStart start_;  // that the handle belongs to
    alignas(std::max_align_t) std::byte interface_[sizeof(RecordInterface)];
};

/// Names data. Where StarPU's handle is wanted it becomes one.
class DataRef {
public:
    DataRef() = default;
    DataRef(std::nullptr_t) {}
    explicit DataRef(TaskData* data) : data_(data) {}

    operator starpu_data_handle_t() const noexcept { return data_ == nullptr ? nullptr : data_->handle(); }
    TaskData* operator->() const noexcept { return data_; }

    explicit operator bool() const noexcept { return data_ != nullptr; }
    friend bool operator==(DataRef a, DataRef b) noexcept { return a.data_ == b.data_; }
    friend bool operator==(DataRef a, std::nullptr_t) noexcept { return a.data_ == nullptr; }

private:
    TaskData* data_ = nullptr;
};

}  // namespace frond::detail

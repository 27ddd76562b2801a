// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <atomic>
#include <utility>

#include "frond/cpu/dense_view.hpp"

namespace frond::detail {

/// Owns one StarPU handle over host memory that outlives it; unregistered at destruction.
class DataHandle {
public:
    DataHandle() = default;
    DataHandle(DataHandle&& o) noexcept
        : handle_(std::exchange(o.handle_, nullptr)), start_(o.start_) {}
    DataHandle& operator=(DataHandle&& o) noexcept {
        if (this != &o) {
            release();
            handle_ = std::exchange(o.handle_, nullptr);
            start_ = o.start_;
        }
        return *this;
    }
    ~DataHandle() { release(); }

    template <class T>
    static DataHandle matrix(DenseView<T> view) {
        DataHandle h;
        starpu_matrix_data_register(&h.handle_, STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(view.data),
                                    static_cast<size_t>(view.ld), static_cast<size_t>(view.rows),
                                    static_cast<size_t>(view.cols), sizeof(T));
        return h;
    }
    template <class T>
    static DataHandle vector(T* data, count_t size) {
        DataHandle h;
        starpu_vector_data_register(&h.handle_, STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(data),
                                    static_cast<size_t>(size), sizeof(T));
        return h;
    }

    starpu_data_handle_t get() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

    /// Waits for the tasks that use it. Not to be called inside a task.
    void release() noexcept {
        if (is_alive()) starpu_data_unregister_no_coherency(handle_);
        handle_ = nullptr;
    }
    /// Unregistered by StarPU once the tasks submitted so far have ended.
    void release_when_unused() noexcept {
        if (is_alive()) starpu_data_unregister_submit(handle_);
        handle_ = nullptr;
    }

    /// Handles die with the StarPU they were registered with, whoever shut it down.
    static void starpu_has_started() noexcept { ++starts(); }

private:
    static std::atomic<int>& starts() noexcept {
        static std::atomic<int> count{0};
        return count;
    }
    bool is_alive() const noexcept {
        return handle_ != nullptr && starpu_is_initialized() && start_ == starts().load();
    }

    starpu_data_handle_t handle_ = nullptr;
    int start_ = starts().load();  // which of StarPU's starts it belongs to
};

}  // namespace frond::detail

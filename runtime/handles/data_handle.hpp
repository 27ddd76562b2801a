// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <utility>

#include "frond/base/error.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/codelets/simulation.hpp"
#include "frond/codelets/starpu_start.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/gpu/devices.hpp"
#include "handles/simulated_tasks.hpp"

namespace frond::detail {

/// Owns one StarPU handle over memory that outlives it, of the host or of a device; unregistered at destruction.
class DataHandle {
public:
    DataHandle() = default;
    DataHandle(DataHandle&& o) noexcept : handle_(std::exchange(o.handle_, nullptr)), start_(o.start_) {}
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
    static DataHandle matrix(DenseView<T> view, unsigned node = STARPU_MAIN_RAM) {
        DataHandle h;
        starpu_matrix_data_register(&h.handle_, static_cast<int>(node), reinterpret_cast<uintptr_t>(view.data),
                                    static_cast<size_t>(view.ld), static_cast<size_t>(view.rows),
                                    static_cast<size_t>(view.cols), sizeof(T));
        return h;
    }
    /// A matrix in host memory that comes later: give_memory(home), while there are tasks that use the handle, which
    /// all come after it. Nothing may bring the data to another node.
    template <class T>
    static DataHandle matrix_to_come(index_t rows, index_t cols, starpu_matrix_interface*& home) {
        DataHandle h;
        starpu_matrix_interface m{};
        m.id = STARPU_MATRIX_INTERFACE_ID;
        m.nx = static_cast<decltype(m.nx)>(rows);
        m.ny = static_cast<decltype(m.ny)>(cols);
        m.ld = m.nx;
        m.elemsize = sizeof(T);
        m.allocsize = static_cast<size_t>(rows) * static_cast<size_t>(cols) * sizeof(T);
        starpu_data_register(&h.handle_, STARPU_MAIN_RAM, &m, &starpu_interface_matrix_ops);
        home = static_cast<starpu_matrix_interface*>(starpu_data_get_interface_on_node(h.handle_, STARPU_MAIN_RAM));
        return h;
    }
    static void give_memory(starpu_matrix_interface& home, void* memory) noexcept {
        home.ptr = home.dev_handle = reinterpret_cast<uintptr_t>(memory);
    }
    /// A matrix without memory of its own: StarPU allocates where the tile is first written, and may move it.
    template <class T>
    static DataHandle matrix_without_home(index_t rows, index_t cols) {
        DataHandle h;
        starpu_matrix_data_register(&h.handle_, -1, 0, static_cast<size_t>(rows), static_cast<size_t>(rows),
                                    static_cast<size_t>(cols), sizeof(T));
        return h;
    }
    template <class T>
    static DataHandle vector(T* data, count_t size, unsigned node = STARPU_MAIN_RAM) {
        DataHandle h;
        starpu_vector_data_register(&h.handle_, static_cast<int>(node), reinterpret_cast<uintptr_t>(data),
                                    static_cast<size_t>(size), sizeof(T));
        return h;
    }

    /// Takes one that somebody registered.
    static DataHandle of(starpu_data_handle_t handle) {
        DataHandle h;
        h.handle_ = handle;
        return h;
    }
    /// A handle of an object of a type that frond/cpu/packing.hpp can pack.
    template <class Object>
    static DataHandle object(Object& object) {
        DataHandle h;
        register_object(h.handle_, &object, operations_of<Object>());
        return h;
    }
    /// A pivot record of n columns; memory [PivotRecord<T>::bytes(n)].
    template <class T>
    static DataHandle record(unsigned char* memory, index_t n, PivotOutcome& outcome, unsigned node = STARPU_MAIN_RAM) {
        DataHandle h;
        register_record(h.handle_, node, memory, n, outcome, record_operations_of<T>());
        return h;
    }
    /// A handle without data, which orders tasks.
    static DataHandle without_data() {
        DataHandle h;
        starpu_void_data_register(&h.handle_);
        return h;
    }

    /// For a matrix or vector on a device: StarPU puts its copy on the host into this memory, which outlives the
    /// handle, unless it has allocated one. Null: nothing is done. While no task uses the handle.
    void place_copy_on_host(void* memory) {
        if (memory == nullptr) return;
        int allocated = 0, valid = 0, loading = 0, requested = 0;
        starpu_data_query_status2(handle_, STARPU_MAIN_RAM, &allocated, &valid, &loading, &requested);
        if (allocated != 0) return;
        const auto begin = reinterpret_cast<uintptr_t>(memory);
        const void* const home = starpu_data_get_interface_on_node(handle_, STARPU_MAIN_RAM);
        if (starpu_data_get_interface_id(handle_) == STARPU_MATRIX_INTERFACE_ID)
            starpu_matrix_ptr_register(handle_, STARPU_MAIN_RAM, begin, begin, 0, STARPU_MATRIX_GET_NX(home));
        else
            starpu_vector_ptr_register(handle_, STARPU_MAIN_RAM, begin, begin, 0);
    }

    starpu_data_handle_t get() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

    /// Waits for the tasks that use it. Not to be called inside a task.
    void release() noexcept {
        if (is_known()) starpu_data_unregister_no_coherency(handle_);
        handle_ = nullptr;
    }
    /// Unregistered by StarPU once the tasks submitted so far have ended.
    void release_when_unused() noexcept {
        if (is_known()) unregister_later();
        handle_ = nullptr;
    }

    /// True: a StarPU that runs has the handle, and can free what it has of the data, which may be on a device.
    bool is_known() const noexcept { return handle_ != nullptr && start_.is_running() && !gpu::has_lost_device(); }

private:
    void unregister_later() noexcept {
        if constexpr (is_simulation)
            if (SimulatedTime::running() != nullptr) return SimulatedTasks::release_when_unused(handle_);
        starpu_data_unregister_submit(handle_);
    }

    starpu_data_handle_t handle_ = nullptr;
    StarpuStart start_;
};

/// Makes the host's copy of a handle's data (of none: null) the current one while it lives. Workers must run.
class HostAccess {
public:
    explicit HostAccess(starpu_data_handle_t handle) : handle_(handle) {
        // starpu_data_acquire would go to the home node, which may be on a device.
        if (handle_ != nullptr && starpu_data_acquire_on_node(handle_, STARPU_MAIN_RAM, STARPU_R) != 0)
            throw RuntimeError("StarPU cannot bring factors to the host's memory");
    }
    HostAccess(const HostAccess&) = delete;
    HostAccess& operator=(const HostAccess&) = delete;
    ~HostAccess() {
        if (handle_ != nullptr) starpu_data_release_on_node(handle_, STARPU_MAIN_RAM);
    }

    /// The copy on the host: the home memory, unless that is on a device.
    void* data() const {
        void* const here = starpu_data_get_interface_on_node(handle_, STARPU_MAIN_RAM);
        const bool matrix = starpu_data_get_interface_id(handle_) == STARPU_MATRIX_INTERFACE_ID;
        return reinterpret_cast<void*>(matrix ? STARPU_MATRIX_GET_PTR(here) : STARPU_VECTOR_GET_PTR(here));
    }

private:
    starpu_data_handle_t handle_;
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <memory>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/cpu/dense_view.hpp"
#include "engine/kind_of_run.hpp"
#include "engine/task_data.hpp"

namespace frond::detail {

/// Owns data of tasks over memory that outlives it, of the host or of a device: StarPU forgets them at destruction.
class DataHandle {
public:
    DataHandle() = default;
    DataHandle(DataHandle&&) noexcept = default;
    DataHandle& operator=(DataHandle&& o) noexcept {
        if (this != &o) {
            release();
            data_ = std::move(o.data_);
        }
        return *this;
    }
    ~DataHandle() { release(); }

    template <class T>
    static DataHandle matrix(DenseView<T> view, unsigned node = STARPU_MAIN_RAM) {
        return of(matrix_interface(view), starpu_interface_matrix_ops, static_cast<int>(node));
    }
    /// A matrix in host memory that comes later, by late()->give_memory(), while there are tasks that use the handle, which
    /// all come after it. Nothing may bring the data to another node.
    template <class T>
    static DataHandle matrix_to_come(index_t rows, index_t cols) {
        return matrix(DenseView<T>{nullptr, rows, cols, rows});
    }
    /// A matrix without memory of its own: StarPU allocates where the tile is first written, and may move it.
    template <class T>
    static DataHandle matrix_without_home(index_t rows, index_t cols) {
        return of(matrix_interface(DenseView<T>{nullptr, rows, cols, rows}), starpu_interface_matrix_ops, -1);
    }
    template <class T>
    static DataHandle vector(T* data, count_t size, unsigned node = STARPU_MAIN_RAM) {
        starpu_vector_interface v{};
        v.id = STARPU_VECTOR_INTERFACE_ID;
        v.ptr = v.dev_handle = reinterpret_cast<uintptr_t>(data);
        v.nx = static_cast<decltype(v.nx)>(size);
        v.elemsize = sizeof(T);
        v.allocsize = static_cast<size_t>(size) * sizeof(T);
        return of(v, starpu_interface_vector_ops, static_cast<int>(node));
    }

    /// Takes a handle that somebody registered.
    static DataHandle of(starpu_data_handle_t handle) { return DataHandle(std::make_shared<TaskData>(handle)); }
    /// A handle of an object of a type that frond/cpu/packing.hpp can pack.
    template <class Object>
    static DataHandle object(Object& object) {
        return object_of(&object, operations_of<Object>());
    }
    /// object: null where the operations need none.
    static DataHandle object_of(void* object, const ObjectOperations& operations) {
        return of(object_interface(object, operations), object_interface_operations(), STARPU_MAIN_RAM);
    }
    /// A pivot record of n columns; memory [PivotRecord<T>::bytes(n)].
    template <class T>
    static DataHandle record(unsigned char* memory, index_t n, PivotOutcome& outcome, unsigned node = STARPU_MAIN_RAM) {
        return of(record_interface(memory, n, outcome, record_operations_of<T>()), record_interface_operations(),
                  static_cast<int>(node));
    }
    /// A handle without data, which orders tasks.
    static DataHandle without_data() {
        struct Nothing {};
        return of(Nothing{}, starpu_interface_void_ops, STARPU_MAIN_RAM);
    }

    /// For a matrix or vector on a device: StarPU puts its copy on the host into this memory, which outlives the
    /// handle, unless it has allocated one. Null: nothing is done. While no task uses the handle.
    void place_copy_on_host(void* memory) {
        if (memory == nullptr) return;
        const starpu_data_handle_t handle = get();
        int allocated = 0, valid = 0, loading = 0, requested = 0;
        starpu_data_query_status2(handle, STARPU_MAIN_RAM, &allocated, &valid, &loading, &requested);
        if (allocated != 0) return;
        const auto begin = reinterpret_cast<uintptr_t>(memory);
        const void* const home = starpu_data_get_interface_on_node(handle, STARPU_MAIN_RAM);
        if (data_->is_matrix())
            starpu_matrix_ptr_register(handle, STARPU_MAIN_RAM, begin, begin, 0, STARPU_MATRIX_GET_NX(home));
        else
            starpu_vector_ptr_register(handle, STARPU_MAIN_RAM, begin, begin, 0);
    }

    DataRef get() const noexcept { return DataRef(data_.get()); }
    /// For who gives it memory later, perhaps when this object has released it to its last tasks.
    std::shared_ptr<TaskData> late() const noexcept { return data_; }
    explicit operator bool() const noexcept { return data_ != nullptr; }

    /// Waits for the tasks that use it. Not to be called inside a task.
    void release() noexcept {
        if (is_with_starpu()) starpu_data_unregister_no_coherency(data_->known_handle());
        data_.reset();
    }
    /// StarPU forgets it once the tasks submitted so far have ended.
    void release_when_unused() noexcept {
        if (is_with_starpu()) detail::release_when_unused(data_->known_handle());
        data_.reset();
    }

    bool is_with_starpu() const noexcept { return data_ != nullptr && data_->is_with_starpu(); }

private:
    explicit DataHandle(std::shared_ptr<TaskData> data) : data_(std::move(data)) {}

    template <class Interface>
    static DataHandle of(const Interface& interface, starpu_data_interface_ops& operations, int home) {
        return DataHandle(std::make_shared<TaskData>(interface, operations, home));
    }
    template <class T>
    static starpu_matrix_interface matrix_interface(DenseView<T> view) {
        starpu_matrix_interface m{};
        m.id = STARPU_MATRIX_INTERFACE_ID;
        m.ptr = m.dev_handle = reinterpret_cast<uintptr_t>(view.data);
        m.nx = static_cast<decltype(m.nx)>(view.rows);
        m.ny = static_cast<decltype(m.ny)>(view.cols);
        m.ld = static_cast<decltype(m.ld)>(view.ld);
        m.elemsize = sizeof(T);
        m.allocsize = static_cast<size_t>(view.rows) * static_cast<size_t>(view.cols) * sizeof(T);
        return m;
    }

    std::shared_ptr<TaskData> data_;
};

/// Makes the host's copy of data (null: of none) the current one while it lives. Workers must run where StarPU has the data.
class HostAccess {
public:
    explicit HostAccess(DataRef data)
        : data_(data), handle_(data == nullptr || data->is_plain() ? nullptr : data->handle()) {
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
        void* const here = data_->buffer();
        return reinterpret_cast<void*>(data_->is_matrix() ? STARPU_MATRIX_GET_PTR(here) : STARPU_VECTOR_GET_PTR(here));
    }

private:
    DataRef data_;
    starpu_data_handle_t handle_;
};

}  // namespace frond::detail

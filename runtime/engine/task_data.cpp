// SPDX-License-Identifier: BSD-3-Clause
#include "engine/task_data.hpp"

#include <mutex>

#include "frond/codelets/simulation.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::detail {
namespace {

/// Guards registrations, which are quick, and memory that comes later.
RunMutex& registrations() {
    static RunMutex mutex;
    return mutex;
}

void set_memory(void* interface, void* memory) {
    auto& matrix = *static_cast<starpu_matrix_interface*>(interface);
    matrix.ptr = matrix.dev_handle = reinterpret_cast<uintptr_t>(memory);
}

}  // namespace

starpu_data_handle_t TaskData::handle() noexcept {
    if (const starpu_data_handle_t known = known_handle(); known != nullptr) return known;
    const std::lock_guard lock(registrations());
    if (known_handle() != nullptr) return known_handle();
    starpu_data_handle_t handle = nullptr;
    starpu_data_register(&handle, home_, interface_, const_cast<starpu_data_interface_ops*>(operations_));
    start_ = StarpuStart();
    handle_.store(handle, std::memory_order_release);
    return handle;
}

bool TaskData::is_with_starpu() const noexcept {
    return known_handle() != nullptr && start_.is_running() && !gpu::has_lost_device();
}

void* TaskData::buffer() noexcept {
    const starpu_data_handle_t known = known_handle();
    return known == nullptr ? interface_ : starpu_data_get_interface_on_node(known, STARPU_MAIN_RAM);
}

bool TaskData::is_matrix() const noexcept {
    const starpu_data_handle_t known = known_handle();
    return (known != nullptr ? starpu_data_get_interface_id(known) : operations_->interfaceid) ==
           STARPU_MATRIX_INTERFACE_ID;
}

/// Objects have 0 bytes, as StarPU is told: tasks change them.
count_t TaskData::bytes() const noexcept {
    if (const starpu_data_handle_t known = known_handle(); known != nullptr)
        return static_cast<count_t>(starpu_data_get_size(known));
    if (is_matrix())
        return static_cast<count_t>(reinterpret_cast<const starpu_matrix_interface*>(interface_)->allocsize);
    if (operations_->get_size != starpu_interface_vector_ops.get_size) return 0;
    return static_cast<count_t>(reinterpret_cast<const starpu_vector_interface*>(interface_)->allocsize);
}

void TaskData::give_memory(void* memory) noexcept {
    const std::lock_guard lock(registrations());
    set_memory(interface_, memory);
    if (known_handle() != nullptr)
        set_memory(starpu_data_get_interface_on_node(known_handle(), STARPU_MAIN_RAM), memory);
}

}  // namespace frond::detail

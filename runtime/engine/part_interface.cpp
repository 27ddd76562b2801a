// SPDX-License-Identifier: BSD-3-Clause
#include "engine/part_interface.hpp"

#include <cstring>
#include <mutex>
#include <utility>

namespace frond::detail {
namespace {

constexpr count_t element_bytes = 256;  // StarPU counts the elements of a vector in 32 bits

/// On each node. StarPU's functions for vectors see the first member alone.
struct Part {
    starpu_vector_interface vector;
    uintptr_t reserved;
};

Part& part_on(starpu_data_handle_t handle, unsigned node) {
    return *static_cast<Part*>(starpu_data_get_interface_on_node(handle, node));
}

void register_on_nodes(starpu_data_handle_t handle, int home_node, void* interface) {
    starpu_interface_vector_ops.register_data_handle(handle, home_node, interface);
    for (unsigned node = 0; node < STARPU_MAXNODES; ++node) part_on(handle, node).reserved = 0;
}

starpu_ssize_t allocate(void* interface, unsigned node) {
    auto& part = *static_cast<Part*>(interface);
    if (part.reserved == 0) return starpu_interface_vector_ops.allocate_data_on_node(interface, node);
    part.vector.ptr = part.vector.dev_handle = std::exchange(part.reserved, 0);
    part.vector.offset = 0;
    return static_cast<starpu_ssize_t>(part.vector.allocsize);
}

/// StarPU's of vectors, with another number, so that memory of the two is never exchanged.
starpu_data_interface_ops& part_ops() {
    static starpu_data_interface_ops ops = [] {
        starpu_data_interface_ops own = starpu_interface_vector_ops;
        own.register_data_handle = register_on_nodes;
        own.allocate_data_on_node = allocate;
        own.cache_data_on_node = nullptr;
        own.reuse_data_on_node = nullptr;
        own.interfaceid = static_cast<starpu_data_interface_id>(starpu_data_interface_get_next_id());
        own.interface_size = sizeof(Part);
        own.dontcache = 1;
        static char name[] = "part of factors";
        own.name = name;
        return own;
    }();
    return ops;
}

}  // namespace

starpu_data_handle_t register_part(count_t bytes) {
    Part part{};
    starpu_data_interface_ops& ops = part_ops();
    part.vector.id = ops.interfaceid;
    part.vector.nx = static_cast<decltype(part.vector.nx)>(bytes / element_bytes);
    part.vector.elemsize = static_cast<std::size_t>(element_bytes);
    part.vector.allocsize = static_cast<std::size_t>(bytes);
    starpu_data_handle_t handle = nullptr;
    starpu_data_register(&handle, -1, &part, &ops);
    return handle;
}

starpu_data_handle_t register_part_on_host(void* data, count_t bytes) {
    starpu_data_handle_t handle = nullptr;
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(data),
                                static_cast<std::uint32_t>(bytes / element_bytes),
                                static_cast<std::size_t>(element_bytes));
    return handle;
}

bool reserve_part(starpu_data_handle_t handle, unsigned node) {
    Part& part = part_on(handle, node);
    if (part.vector.ptr == 0 && part.reserved == 0) part.reserved = starpu_malloc_on_node(node, part.vector.allocsize);
    return part.vector.ptr != 0 || part.reserved != 0;
}

void drop_reserved_part(starpu_data_handle_t handle) noexcept {
    if (starpu_data_get_interface_id(handle) != part_ops().interfaceid) return;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); ++node) {
        Part& part = part_on(handle, node);
        if (part.reserved != 0) starpu_free_on_node(node, std::exchange(part.reserved, 0), part.vector.allocsize);
    }
}

}  // namespace frond::detail

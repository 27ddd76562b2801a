// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/object_data.hpp"

#include <cstdio>

#include "message_memory.hpp"

namespace frond {
namespace {

ObjectInterface& interface_of(starpu_data_handle_t handle, unsigned node) {
    return *static_cast<ObjectInterface*>(starpu_data_get_interface_on_node(handle, node));
}

/// The same object on every node.
void register_handle(starpu_data_handle_t handle, int, void* given) {
    for (unsigned node = 0; node < STARPU_MAXNODES; ++node)
        interface_of(handle, node) = *static_cast<const ObjectInterface*>(given);
}

starpu_ssize_t allocate(void*, unsigned) { return 0; }

void deallocate(void*, unsigned) {}

int copy_nothing(void*, unsigned, void*, unsigned, void*) { return 0; }

/// Tasks change it, and schedulers ask for it at any time.
size_t unknown_size(starpu_data_handle_t) { return 0; }

uint32_t footprint(starpu_data_handle_t) { return 0; }

int compare(void* a, void* b) {
    return static_cast<ObjectInterface*>(a)->operations == static_cast<ObjectInterface*>(b)->operations ? 1 : 0;
}

void display(starpu_data_handle_t, FILE* file) { static_cast<void>(std::fprintf(file, "object\t")); }

int pack(starpu_data_handle_t handle, unsigned node, void** memory, starpu_ssize_t* count) {
    const ObjectInterface& data = interface_of(handle, node);
    return pack_message(node, data.operations->packed_bytes(data.object), memory, count,
                        interface_of(handle, STARPU_MAIN_RAM).log,
                        [&data](unsigned char* to) { data.operations->pack(data.object, to); });
}

int peek(starpu_data_handle_t handle, unsigned node, void* memory, size_t count) {
    const ObjectInterface& data = interface_of(handle, node);
    return read_message(memory, count, interface_of(handle, STARPU_MAIN_RAM).log,
                        [&data](const unsigned char* from, count_t bytes) {
                            data.operations->unpack(from, bytes, data.object);
                        });
}

int unpack(starpu_data_handle_t handle, unsigned node, void* memory, size_t count) {
    const int status = peek(handle, node, memory, count);
    free_message(node, memory, count);
    return status;
}

const starpu_data_copy_methods& copy_methods() {
    static const starpu_data_copy_methods methods = [] {
        starpu_data_copy_methods m{};
        m.any_to_any = copy_nothing;
        return m;
    }();
    return methods;
}

}  // namespace

starpu_data_interface_ops& object_interface_operations() {
    static char name[] = "FROND_OBJECT_INTERFACE";
    static starpu_data_interface_ops operations = [] {
        starpu_data_interface_ops o{};
        o.register_data_handle = register_handle;
        o.allocate_data_on_node = allocate;
        o.free_data_on_node = deallocate;
        o.copy_methods = &copy_methods();
        o.get_size = unknown_size;
        o.footprint = footprint;
        o.compare = compare;
        o.display = display;
        o.interfaceid = static_cast<starpu_data_interface_id>(starpu_data_interface_get_next_id());
        o.interface_size = sizeof(ObjectInterface);
        o.dontcache = 1;
        o.pack_data = pack;
        o.peek_data = peek;
        o.unpack_data = unpack;
        o.name = name;
        return o;
    }();
    return operations;
}

ObjectInterface object_interface(void* object, const ObjectOperations& operations) {
    return {object_interface_operations().interfaceid, &operations, object, nullptr};
}

bool log_object_messages(starpu_data_handle_t handle, MessageLog& log) {
    if (starpu_data_get_interface_ops(handle) != &object_interface_operations()) return false;
    keep_log(interface_of(handle, STARPU_MAIN_RAM).log, log);
    return true;
}

const ObjectOperations& stopped_operations() {
    static constexpr ObjectOperations operations{[](const void*) { return cpu::packed_header_bytes; },
                                                 [](const void*, unsigned char* to) { cpu::pack_stopped(to); },
                                                 [](const unsigned char*, count_t, void*) {}};
    return operations;
}

}  // namespace frond

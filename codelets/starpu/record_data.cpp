// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/record_data.hpp"

#include "message_memory.hpp"

namespace frond {
namespace {

RecordInterface& record_on(starpu_data_handle_t handle, unsigned node) {
    return *static_cast<RecordInterface*>(starpu_data_get_interface_on_node(handle, node));
}

unsigned char* memory_of(const RecordInterface& record) { return reinterpret_cast<unsigned char*>(record.vector.ptr); }

void register_on_nodes(starpu_data_handle_t handle, int home_node, void* given) {
    starpu_interface_vector_ops.register_data_handle(handle, home_node, given);
    const auto& record = *static_cast<const RecordInterface*>(given);
    for (unsigned node = 0; node < STARPU_MAXNODES; ++node) {
        record_on(handle, node).n = record.n;
        record_on(handle, node).outcome = record.outcome;
        record_on(handle, node).operations = record.operations;
        record_on(handle, node).log = nullptr;
    }
}

int pack_record(starpu_data_handle_t handle, unsigned node, void** memory, starpu_ssize_t* count) {
    const RecordInterface& r = record_on(handle, node);
    return pack_message(node, r.operations->packed_bytes(memory_of(r), r.n, r.outcome), memory, count,
                        record_on(handle, STARPU_MAIN_RAM).log,
                        [&r](unsigned char* to) { r.operations->pack(memory_of(r), r.n, r.outcome, to); });
}

int peek_record(starpu_data_handle_t handle, unsigned node, void* memory, size_t count) {
    const RecordInterface& r = record_on(handle, node);
    return read_message(memory, count, record_on(handle, STARPU_MAIN_RAM).log,
                        [&r](const unsigned char* from, count_t bytes) {
                            r.operations->unpack(from, bytes, memory_of(r), r.n, r.outcome);
                        });
}

int unpack_record(starpu_data_handle_t handle, unsigned node, void* memory, size_t count) {
    const int status = peek_record(handle, node, memory, count);
    free_message(node, memory, count);
    return status;
}

}  // namespace

/// StarPU's of vectors, with another number, but for what a message has of them.
starpu_data_interface_ops& record_interface_operations() {
    static starpu_data_interface_ops operations = [] {
        starpu_data_interface_ops own = starpu_interface_vector_ops;
        static char name[] = "FROND_PIVOT_RECORD_INTERFACE";
        own.register_data_handle = register_on_nodes;
        own.pack_data = pack_record;
        own.peek_data = peek_record;
        own.unpack_data = unpack_record;
        own.interfaceid = static_cast<starpu_data_interface_id>(starpu_data_interface_get_next_id());
        own.interface_size = sizeof(RecordInterface);
        own.name = name;
        return own;
    }();
    return operations;
}

RecordInterface record_interface(unsigned char* memory, index_t n, PivotOutcome& outcome,
                                 const RecordOperations& operations) {
    RecordInterface record{};
    record.vector.id = record_interface_operations().interfaceid;
    record.vector.ptr = record.vector.dev_handle = reinterpret_cast<uintptr_t>(memory);
    record.vector.elemsize = 1;
    record.vector.nx = static_cast<decltype(record.vector.nx)>(operations.bytes(n));
    record.vector.allocsize = static_cast<size_t>(operations.bytes(n));
    record.n = n;
    record.outcome = &outcome;
    record.operations = &operations;
    return record;
}

bool log_record_messages(starpu_data_handle_t handle, MessageLog& log) {
    if (starpu_data_get_interface_ops(handle) != &record_interface_operations()) return false;
    keep_log(record_on(handle, STARPU_MAIN_RAM).log, log);
    return true;
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// Data of StarPU that are an object in the host's memory and whose size is known at run time only: columns that
// threshold pivoting sets back. StarPU orders the tasks that use them, and packs and unpacks them for messages and
// files (frond/cpu/packing.hpp). Inside one process they stay where they are: the task of a device's worker reads
// and writes the same object on the host, so "copying" one to a device's memory node copies nothing.
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/packing.hpp"

#include <atomic>
#include <starpu.h>

namespace frond {

/// What becomes of messages of objects and records, whose size nobody knows before StarPU packs them, and whose reading
/// may fail without StarPU's looking. Their data note it here from log_object_messages and log_record_messages on.
struct MessageLog {
    std::atomic<count_t> packed_bytes{0}, unpacked_bytes{0};
    /// The end of the latest message that was read: 0, -ESHUTDOWN (the sender had stopped), -ENOMEM or -EINVAL. Who
    /// reads it must be the thread that reads messages.
    std::atomic<int> status{0};
};

/// What StarPU has to know of a type of objects.
struct ObjectOperations {
    count_t (*packed_bytes)(const void* object) = nullptr;
    void (*pack)(const void* object, unsigned char* to) = nullptr;
    void (*unpack)(const unsigned char* from, count_t bytes, void* object) = nullptr;  // may throw
};

/// What a task finds in its buffers.
struct ObjectInterface {
    enum starpu_data_interface_id id = STARPU_UNKNOWN_INTERFACE_ID;
    const ObjectOperations* operations = nullptr;
    void* object = nullptr;
    MessageLog* log = nullptr;  // on the node of the host's memory; may be null
};

template <class Object>
const ObjectOperations& operations_of() {
    static constexpr ObjectOperations operations{
        [](const void* object) { return cpu::packed_bytes(*static_cast<const Object*>(object)); },
        [](const void* object, unsigned char* to) { cpu::pack(*static_cast<const Object*>(object), to); },
        [](const unsigned char* from, count_t bytes, void* object) {
            cpu::unpack(from, bytes, *static_cast<Object*>(object));
        }};
    return operations;
}

/// What StarPU is told of an object, which must outlive the tasks that use the data.
ObjectInterface object_interface(void* object, const ObjectOperations& operations);
starpu_data_interface_ops& object_interface_operations();

/// False, and nothing is done, where the handle is none of an object. The log must outlive the handle's messages.
bool log_object_messages(starpu_data_handle_t handle, MessageLog& log);

/// The operations of a rank that has stopped: what it packs says so, and what it unpacks is discarded. The object may
/// be null.
const ObjectOperations& stopped_operations();

/// Buffer i of a task.
template <class Object>
Object& object_buffer(void* buffers[], int i) {
    return *static_cast<Object*>(static_cast<ObjectInterface*>(buffers[i])->object);
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// What the pack, peek and unpack operations of Frond's data interfaces have in common.
#pragma once

#include <starpu.h>

#include <cerrno>
#include <exception>
#include <new>

#include "frond/base/types.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/cpu/packing.hpp"

namespace frond {

/// Memory of a message of `bytes` bytes, as StarPU frees it, filled by write(to); memory null: only the size is asked for.
/// What is larger than a message may be is not sent: the task before it has said so (announce_block), and what goes out is
/// the message of a rank that has stopped.
template <class Write>
int pack_message(unsigned node, count_t bytes, void** memory, starpu_ssize_t* count, MessageLog* log,
                 const Write& write) {
    const bool fits = bytes <= cpu::most_packed_bytes;
    if (!fits) bytes = cpu::packed_header_bytes;
    *count = static_cast<starpu_ssize_t>(bytes);
    if (memory == nullptr) return 0;
    const auto address = starpu_malloc_on_node_flags(node, static_cast<size_t>(bytes), 0);
    if (address == 0) return -ENOMEM;
    *memory = reinterpret_cast<void*>(address);
    auto* const to = static_cast<unsigned char*>(*memory);
    if (fits)
        write(to);
    else
        cpu::pack_stopped(to);
    if (log != nullptr) log->packed_bytes.fetch_add(bytes, std::memory_order_relaxed);
    return 0;
}

/// What StarPU wants to hear of read(from, bytes), which may throw.
template <class Read>
int status_of_reading(const void* memory, size_t count, const Read& read) {
    if (cpu::is_stopped(static_cast<const unsigned char*>(memory), static_cast<count_t>(count))) return -ESHUTDOWN;
    try {
        read(static_cast<const unsigned char*>(memory), static_cast<count_t>(count));
        return 0;
    } catch (const std::bad_alloc&) {
        return -ENOMEM;
    } catch (const std::exception&) {
        return -EINVAL;
    }
}

template <class Read>
int read_message(const void* memory, size_t count, MessageLog* log, const Read& read) {
    const int status = status_of_reading(memory, count, read);
    if (log == nullptr) return status;
    log->unpacked_bytes.fetch_add(static_cast<count_t>(count), std::memory_order_relaxed);
    log->status.store(status, std::memory_order_relaxed);
    return status;
}

/// From now on; `known` is on the node that every handle has an interface on. Threads that post messages may find the
/// same log there at any time.
inline void keep_log(MessageLog*& known, MessageLog& log) {
    if (known != &log) known = &log;
}

inline void free_message(unsigned node, void* memory, size_t count) {
    starpu_free_on_node_flags(node, reinterpret_cast<uintptr_t>(memory), count, 0);
}

}  // namespace frond

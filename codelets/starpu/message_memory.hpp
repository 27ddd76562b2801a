// SPDX-License-Identifier: BSD-3-Clause
// What the pack, peek and unpack operations of Frond's data interfaces have in common.
#pragma once

#include <starpu.h>

#include <cerrno>
#include <exception>
#include <new>

#include "frond/base/types.hpp"

namespace frond {

/// Memory of a message of `bytes` bytes, as StarPU frees it, filled by write(to); memory null: only the size is asked for.
template <class Write>
int pack_message(unsigned node, count_t bytes, void** memory, starpu_ssize_t* count, const Write& write) {
    *count = static_cast<starpu_ssize_t>(bytes);
    if (memory == nullptr) return 0;
    const auto address = starpu_malloc_on_node_flags(node, static_cast<size_t>(bytes), 0);
    if (address == 0) return -ENOMEM;
    *memory = reinterpret_cast<void*>(address);
    write(static_cast<unsigned char*>(*memory));
    return 0;
}

/// What StarPU wants to hear of read(from, bytes), which may throw.
template <class Read>
int read_message(const void* memory, size_t count, const Read& read) {
    try {
        read(static_cast<const unsigned char*>(memory), static_cast<count_t>(count));
        return 0;
    } catch (const std::bad_alloc&) {
        return -ENOMEM;
    } catch (const std::exception&) {
        return -EINVAL;
    }
}

inline void free_message(unsigned node, void* memory, size_t count) {
    starpu_free_on_node_flags(node, reinterpret_cast<uintptr_t>(memory), count, 0);
}

}  // namespace frond

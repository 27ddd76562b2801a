// SPDX-License-Identifier: BSD-3-Clause
// Allocations of devices, which other processes open, by AMD's runtime.
#pragma once

#include <cstdint>

#include "processes/exported_memory.hpp"

namespace frond::gpu {

/// Where the allocation of `data` begins, and its number. False: the runtime does not know.
inline bool find_allocation(const void* data, void** begin, std::uint64_t* number) {
    auto* const address = const_cast<void*>(data);
    std::size_t bytes = 0;
    unsigned long long id = 0;
    const bool found = hipMemGetAddressRange(begin, &bytes, address) == hipSuccess &&
                       hipPointerGetAttribute(&id, HIP_POINTER_ATTRIBUTE_BUFFER_ID, address) == hipSuccess;
    if (!found) static_cast<void>(hipGetLastError());
    *number = id;
    return found;
}

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <cstddef>
#include <vector>

namespace frond {

/// Blocks from 256 KiB up are mapped by themselves, so that the process shrinks when they are freed:
/// the arenas that malloc has for threads kept up to a third more than was in use.
/// @throws std::bad_alloc
void* allocate_block(std::size_t bytes);
void free_block(void* data, std::size_t bytes) noexcept;

template <class T>
class HostAllocator {
public:
    using value_type = T;

    HostAllocator() = default;
    template <class U>
    HostAllocator(const HostAllocator<U>&) noexcept {}

    T* allocate(std::size_t n) { return static_cast<T*>(allocate_block(n * sizeof(T))); }
    void deallocate(T* data, std::size_t n) noexcept { free_block(data, n * sizeof(T)); }
    template <class U>
    bool operator==(const HostAllocator<U>&) const noexcept {
        return true;
    }
};

/// Holds columns that pivoting sets back.
template <class T>
using HostVector = std::vector<T, HostAllocator<T>>;

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace frond {

/// A wish, for memory that nobody has written yet: pages of 2 MiB, of which the system has fewer to find and to clear than of
/// 4 KiB. Nothing happens where there are none, or fewer than 4 MiB.
void ask_for_huge_pages(void* data, std::size_t bytes) noexcept;

/// @throws std::bad_alloc
void* allocate_huge_pages(std::size_t bytes);
void free_huge_pages(void* data, std::size_t bytes) noexcept;

/// Huge pages, and resize() writes nothing.
template <class T>
class HugePageAllocator {
public:
    using value_type = T;

    HugePageAllocator() = default;
    template <class U>
    HugePageAllocator(const HugePageAllocator<U>&) noexcept {}

    T* allocate(std::size_t n) { return static_cast<T*>(allocate_huge_pages(n * sizeof(T))); }
    void deallocate(T* data, std::size_t n) noexcept { free_huge_pages(data, n * sizeof(T)); }
    template <class U>
    void construct(U* at) {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }
    template <class U>
    bool operator==(const HugePageAllocator<U>&) const noexcept {
        return true;
    }
};

/// A list of many numbers, which is written once and soon: new memory then costs more than the work. Elements that
/// resize() adds have no value.
template <class T>
using LargeVector = std::vector<T, HugePageAllocator<T>>;

/// values.resize(size), and in huge pages where it takes new memory for that.
template <class T>
void resize_in_huge_pages(std::vector<T>& values, std::size_t size) {
    if (size > values.capacity()) {
        values.clear();
        values.reserve(size);
        ask_for_huge_pages(values.data(), size * sizeof(T));
    }
    values.resize(size);
}

}  // namespace frond

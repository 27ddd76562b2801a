// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <cstddef>
#include <cstdlib>
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

/// Zeros whose memory is only taken where they are written to: scratch of a thread that needs a few
/// entries of a long list.
class ZeroedArray {
public:
    explicit ZeroedArray(std::size_t size) : data_(static_cast<index_t*>(std::calloc(size + 1, sizeof(index_t)))) {
        if (data_ == nullptr) throw std::bad_alloc();
    }

    index_t& operator[](index_t k) { return data_.get()[k]; }

private:
    struct Free {
        void operator()(index_t* data) const { std::free(data); }
    };

    std::unique_ptr<index_t, Free> data_;
};

}  // namespace frond

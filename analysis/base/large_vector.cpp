// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/large_vector.hpp"

#include "frond/base/sanitizers.hpp"

#include <cstdint>
#include <new>
#include <sys/mman.h>

namespace frond {
namespace {

constexpr std::size_t page_bytes_wanted = std::size_t{2} << 20, least_bytes = std::size_t{4} << 20;
constexpr std::align_val_t alignment{page_bytes_wanted};

}  // namespace

void ask_for_huge_pages(void* data, std::size_t bytes) noexcept {
    if (bytes < least_bytes) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    const std::uintptr_t first = (begin + page_bytes_wanted - 1) / page_bytes_wanted * page_bytes_wanted;
    const std::uintptr_t last = (begin + bytes) / page_bytes_wanted * page_bytes_wanted;
    if (last > first) static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
}

void* allocate_huge_pages(std::size_t bytes) {
    if (bytes < least_bytes) return ::operator new(bytes);
    const std::size_t whole = (bytes + page_bytes_wanted - 1) / page_bytes_wanted * page_bytes_wanted;
    void* const data = ::operator new(whole, alignment);
    ask_for_huge_pages(data, whole);
    return data;
}

void free_huge_pages(void* data, std::size_t bytes) noexcept {
    if (bytes < least_bytes)
        ::operator delete(data);
    else
        ::operator delete(data, alignment);
}

namespace {

/// AddressSanitizer guards the blocks of malloc only: then there are no others.
bool is_large(std::size_t bytes) { return !FROND_ADDRESS_SANITIZER && bytes >= std::size_t{256} << 10; }

}  // namespace

void* allocate_block(std::size_t bytes) {
    if (!is_large(bytes)) return ::operator new(bytes);
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    return data;
}

void free_block(void* data, std::size_t bytes) noexcept {
    if (is_large(bytes))
        munmap(data, bytes);
    else
        ::operator delete(data);
}

}  // namespace frond

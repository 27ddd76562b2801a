// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/large_vector.hpp"

#include <cstdint>
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

}  // namespace frond

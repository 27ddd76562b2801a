// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/large_vector.hpp"

#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>

namespace frond {
namespace {

constexpr std::size_t page_bytes_wanted = std::size_t{2} << 20, least_bytes = std::size_t{4} << 20;

}  // namespace

void ask_for_huge_pages(void* data, std::size_t bytes) noexcept {
    if (bytes < least_bytes) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    const std::uintptr_t first = (begin + page_bytes_wanted - 1) / page_bytes_wanted * page_bytes_wanted;
    const std::uintptr_t last = (begin + bytes) / page_bytes_wanted * page_bytes_wanted;
    if (last > first) static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
}

void* allocate_huge_pages(std::size_t bytes) {
    const bool is_large = bytes >= least_bytes;
    const std::size_t whole = (bytes + page_bytes_wanted - 1) / page_bytes_wanted * page_bytes_wanted;
    void* const data = is_large ? std::aligned_alloc(page_bytes_wanted, whole) : std::malloc(bytes > 0 ? bytes : 1);
    if (data == nullptr) throw std::bad_alloc();
    if (is_large) ask_for_huge_pages(data, whole);
    return data;
}

void free_huge_pages(void* data) noexcept { std::free(data); }

}  // namespace frond

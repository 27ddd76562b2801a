// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/host_block.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <string>

#include "frond/base/error.hpp"

namespace frond {
namespace {

constexpr count_t huge_page_bytes = count_t{2} << 20;
constexpr std::align_val_t small_alignment{64};

bool is_mapped(count_t bytes) { return bytes >= huge_page_bytes; }

count_t mapped_bytes(count_t bytes) {
    return (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
}

[[noreturn]] void refuse(count_t bytes) {
    throw OutOfMemory("the system refused " + std::to_string(bytes) +
                          " bytes of memory; free memory or lower memory_budget_bytes",
                      bytes);
}

/// Maps a huge page more than asked and returns the unaligned ends.
void* map_aligned(count_t bytes) {
    const count_t reserved = bytes + huge_page_bytes;
    void* raw = mmap(nullptr, static_cast<std::size_t>(reserved), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) refuse(bytes);
    const auto begin = reinterpret_cast<std::uintptr_t>(raw);
    const auto page = static_cast<std::uintptr_t>(huge_page_bytes);
    const auto aligned = (begin + page - 1) / page * page;
    const auto end = begin + static_cast<std::uintptr_t>(reserved);
    const auto used_end = aligned + static_cast<std::uintptr_t>(bytes);
    if (aligned > begin) munmap(raw, aligned - begin);
    if (end > used_end) munmap(reinterpret_cast<void*>(used_end), end - used_end);
    void* data = reinterpret_cast<void*>(aligned);
    // Advice only: without it the block works with small pages.
    (void)madvise(data, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
    return data;
}

}  // namespace

HostBlock::HostBlock(count_t bytes) : bytes_(bytes) {
    if (bytes <= 0) {
        bytes_ = 0;
        return;
    }
    if (is_mapped(bytes)) {
        data_ = map_aligned(mapped_bytes(bytes));
        return;
    }
    data_ = ::operator new(static_cast<std::size_t>(bytes), small_alignment, std::nothrow);
    if (data_ == nullptr) refuse(bytes);
    std::memset(data_, 0, static_cast<std::size_t>(bytes));
}

void HostBlock::release() noexcept {
    if (data_ == nullptr) return;
    if (is_mapped(bytes_))
        munmap(data_, static_cast<std::size_t>(mapped_bytes(bytes_)));
    else
        ::operator delete(data_, small_alignment);
    data_ = nullptr;
    bytes_ = 0;
}

}  // namespace frond

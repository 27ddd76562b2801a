// SPDX-License-Identifier: BSD-3-Clause
#include "system_pages.hpp"

#include "frond/base/error.hpp"
#include "frond/base/host_block.hpp"
#include "frond/base/sanitizers.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#if FROND_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace frond::detail {

/// Maps a huge page more than asked and gives the unaligned ends back; 0 when the system refuses.
std::uintptr_t map_segment(count_t bytes) {
    const auto reserved = static_cast<std::size_t>(bytes + huge_page_bytes);
    void* raw = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) return 0;
    const auto begin = reinterpret_cast<std::uintptr_t>(raw);
    const auto page = static_cast<std::uintptr_t>(huge_page_bytes);
    const auto aligned = (begin + page - 1) / page * page;
    const auto end = begin + reserved, used_end = aligned + static_cast<std::uintptr_t>(bytes);
    if (aligned > begin) munmap(raw, aligned - begin);
    if (end > used_end) munmap(reinterpret_cast<void*>(used_end), end - used_end);
    return aligned;
}

void allow_access([[maybe_unused]] std::uintptr_t begin, [[maybe_unused]] count_t bytes) {
#if FROND_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(reinterpret_cast<void*>(begin), static_cast<std::size_t>(bytes));
#endif
}

void forbid_access([[maybe_unused]] std::uintptr_t begin, [[maybe_unused]] count_t bytes) {
#if FROND_ADDRESS_SANITIZER
    __asan_poison_memory_region(reinterpret_cast<void*>(begin), static_cast<std::size_t>(bytes));
#endif
}

count_t resident_bytes(std::uintptr_t begin, count_t bytes) noexcept {
    constexpr count_t pages_at_once = 1 << 14;
    std::array<unsigned char, pages_at_once> resident;
    const count_t system_page = static_cast<count_t>(sysconf(_SC_PAGESIZE));
    count_t sum = 0;
    for (count_t done = 0; done < bytes; done += pages_at_once * system_page) {
        const count_t part = std::min(bytes - done, pages_at_once * system_page);
        const count_t pages = (part + system_page - 1) / system_page;
        void* const first = reinterpret_cast<void*>(begin + static_cast<std::uintptr_t>(done));
        if (mincore(first, static_cast<std::size_t>(part), resident.data()) != 0) return 0;
        sum += std::count_if(resident.begin(), resident.begin() + pages, [](unsigned char p) { return (p & 1) != 0; }) *
               system_page;
    }
    return sum;
}

void refuse_memory(count_t bytes) {
    throw OutOfMemory("the system refused " + std::to_string(bytes) +
                          " bytes of memory; free memory or lower memory_budget_bytes",
                      bytes);
}

}  // namespace frond::detail

namespace frond {
namespace {

constexpr std::align_val_t small_alignment{64};

/// Small blocks are the allocator's, unless the heap's memory is special.
bool from_heap(count_t bytes, const HostHeap& heap) { return &heap != &host_heap() || bytes >= count_t{32} << 10; }

}  // namespace

HostBlock::HostBlock(count_t bytes, HostHeap& heap) : bytes_(bytes), heap_(&heap) {
    if (bytes <= 0) {
        bytes_ = 0;
        return;
    }
    data_ = from_heap(bytes, heap) ? heap.allocate(bytes)
                                   : ::operator new(static_cast<std::size_t>(bytes), small_alignment, std::nothrow);
    if (data_ == nullptr) detail::refuse_memory(bytes);
}

void HostBlock::be_ready(index_t threads) {
    if (!heap_->be_ready(data_, threads)) detail::refuse_memory(bytes_);
}

void HostBlock::release() noexcept {
    if (data_ == nullptr) return;
    if (from_heap(bytes_, *heap_))
        heap_->release(data_, bytes_);
    else
        ::operator delete(data_, small_alignment);
    data_ = nullptr;
    bytes_ = 0;
}

}  // namespace frond

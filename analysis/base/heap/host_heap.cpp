// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/host_heap.hpp"

#include "system_pages.hpp"

#include <cstdlib>
#include <new>
#include <pthread.h>
#include <unistd.h>
#include <vector>

namespace frond {
namespace {

/// Address space as large as the machine's memory: pages are only taken when they are touched, and in
/// one segment the same blocks get the same addresses at the next factorization.
count_t wanted_segment_bytes() {
    static const count_t bytes =
        static_cast<count_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<count_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

}  // namespace

/// No thread waits for one heap while it has the lock of another, so their order is free.
struct HostHeap::AllHeaps {
    AllHeaps() {
        if (pthread_atfork(before_fork, after_fork, after_fork) != 0) throw std::bad_alloc();
    }
    static void before_fork() {
        all_heaps().mutex.lock();
        for (const HostHeap* const heap : all_heaps().heaps) heap->mutex_.lock();
    }
    static void after_fork() {
        for (const HostHeap* const heap : all_heaps().heaps) heap->mutex_.unlock();
        all_heaps().mutex.unlock();
    }

    std::mutex mutex;
    std::vector<HostHeap*> heaps;
};

HostHeap::AllHeaps& HostHeap::all_heaps() {
    static AllHeaps& all = *new AllHeaps;
    return all;
}

HostHeap::HostHeap(const SegmentRules& rules) : rules_(rules) {
    const std::lock_guard lock(all_heaps().mutex);
    all_heaps().heaps.push_back(this);
}

HostHeap::~HostHeap() {
    {
        const std::lock_guard lock(all_heaps().mutex);
        std::erase(all_heaps().heaps, this);
    }
    trim();
}

void* HostHeap::allocate(count_t bytes) {
    void* const block = allocate_mapped(bytes, rules_.segment_bytes > 0 ? rules_.segment_bytes : wanted_segment_bytes(),
                                        smallest_segment_bytes);
    if (be_ready(block)) return block;
    release(block, bytes);
    detail::refuse_memory(bytes);
}

void* HostHeap::allocate_unready(count_t bytes, count_t least_segment_bytes) {
    return allocate_mapped(bytes, 0, least_segment_bytes);
}

void* HostHeap::allocate_mapped(count_t bytes, count_t segment_bytes, count_t least_segment_bytes) {
    const count_t asked_bytes = bytes;
    bytes = detail::rounded_up(bytes, detail::page_bytes);
    const std::lock_guard lock(mutex_);
    if (bytes > limit_bytes_ - used_bytes_) detail::refuse_memory(bytes);
    const auto hole = hole_for(bytes);
    const Address begin =
        take(hole != holes_.end() ? hole->first : add_segment(bytes, segment_bytes, least_segment_bytes), bytes);
    detail::allow_access(begin, asked_bytes);
    forbid(segment_of(begin)->second, begin + static_cast<Address>(asked_bytes), bytes - asked_bytes);
    return reinterpret_cast<void*>(begin);
}

void HostHeap::release(void* data, count_t bytes) noexcept {
    bytes = detail::rounded_up(bytes, detail::page_bytes);
    const std::lock_guard lock(mutex_);
    const auto begin = reinterpret_cast<Address>(data);
    const auto segment = segment_of(begin);
    segment->second.used_bytes -= bytes;
    used_bytes_ -= bytes;
    forbid(segment->second, begin, bytes);
    make_hole(begin, bytes, segment);
    if (segment->second.used_bytes == 0 && segment->second.state == State::mapped) drop(segment);
}

void HostHeap::begin_use() noexcept {
    const std::lock_guard lock(mutex_);
    ++uses_;
}

void HostHeap::end_use() noexcept {
    const std::lock_guard lock(mutex_);
    if (--uses_ == 0 && dirty_bytes_ > smallest_dirty_bytes) give_back_locked();
}

count_t HostHeap::reusable_bytes() const {
    const std::lock_guard lock(mutex_);
    count_t sum = 0;
    for (const auto& [address, hole] : holes_) sum += detail::resident_bytes(address, hole.dirty_bytes);
    return sum;
}

count_t HostHeap::mapped_bytes() const {
    const std::lock_guard lock(mutex_);
    count_t sum = 0;
    for (const auto& s : segments_) sum += s.second.bytes;
    return sum;
}

count_t HostHeap::used_bytes() const {
    const std::lock_guard lock(mutex_);
    return used_bytes_;
}

count_t HostHeap::new_bytes() const {
    const std::lock_guard lock(mutex_);
    return new_bytes_;
}

void HostHeap::limit_used_bytes(count_t limit_bytes) {
    const std::lock_guard lock(mutex_);
    limit_bytes_ = limit_bytes;
}

HostHeap& host_heap() {
    static HostHeap& heap = *new HostHeap;  // never destroyed: static variables of the application hold blocks
    return heap;
}

}  // namespace frond

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace frond {

void return_freed_memory() noexcept {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace frond

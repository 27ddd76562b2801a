// SPDX-License-Identifier: BSD-3-Clause
// Segments of the heap: address space of the system, made ready for use, given back when no block uses it.
#include "frond/base/host_heap.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "frond/base/large_vector.hpp"
#include "system_pages.hpp"

namespace frond {

HostHeap::Address HostHeap::add_segment(count_t bytes, count_t wanted_bytes, count_t least_bytes) {
    const count_t least = detail::rounded_up(std::max(bytes, least_bytes), detail::huge_page_bytes);
    count_t size = std::max(least, detail::rounded_up(wanted_bytes, detail::huge_page_bytes));
    Address begin = detail::map_segment(size);
    while (begin == 0 && size > least) {
        size = std::max(least, detail::rounded_up(size / 2, detail::huge_page_bytes));
        begin = detail::map_segment(size);
    }
    if (begin == 0) detail::refuse_memory(bytes);
    if (rules_.huge_pages) ask_for_huge_pages(reinterpret_cast<void*>(begin), static_cast<std::size_t>(size));
    try {
        segments_.emplace(begin, Segment{size, rules_.mapped != nullptr ? State::mapped : State::ready});
        holes_.emplace(begin, Hole{size, 0});
    } catch (...) {
        segments_.erase(begin);
        munmap(reinterpret_cast<void*>(begin), static_cast<std::size_t>(size));
        throw;
    }
    return begin;
}

HostHeap::Segments::iterator HostHeap::segment_of(Address address) { return std::prev(segments_.upper_bound(address)); }

/// Who makes a segment ready may touch all of it.
void HostHeap::forbid(const Segment& segment, Address begin, count_t bytes) noexcept {
    if (segment.state == State::ready) detail::forbid_access(begin, bytes);
}

bool HostHeap::is_ready(const void* block) const {
    const std::lock_guard lock(mutex_);
    const auto after = segments_.upper_bound(reinterpret_cast<Address>(block));
    return std::prev(after)->second.state == State::ready;
}

/// A segment with a block in use stays where it is.
bool HostHeap::be_ready(const void* block, index_t threads) {
    std::unique_lock lock(mutex_);
    const auto segment = segment_of(reinterpret_cast<Address>(block));
    State& state = segment->second.state;
    state_changed_.wait(lock, [&state] { return state != State::being_made_ready; });
    if (state == State::ready) return true;
    state = State::being_made_ready;
    lock.unlock();
    const bool is_ready = rules_.mapped(reinterpret_cast<void*>(segment->first), segment->second.bytes, threads);
    lock.lock();
    state = is_ready ? State::ready : State::mapped;
    state_changed_.notify_all();
    return is_ready;
}

void HostHeap::trim() noexcept {
    const std::lock_guard lock(mutex_);
    trim_locked();
}

void HostHeap::trim_locked() noexcept {
    for (auto s = segments_.begin(); s != segments_.end();) s = s->second.used_bytes > 0 ? std::next(s) : drop(s);
}

/// One without a block in use. Returns the next one.
HostHeap::Segments::iterator HostHeap::drop(Segments::iterator segment) noexcept {
    const auto& [begin, s] = *segment;
    const Address end = begin + static_cast<Address>(s.bytes);
    const auto first = holes_.lower_bound(begin), last = holes_.lower_bound(end);
    for (auto hole = first; hole != last; ++hole) dirty_bytes_ -= hole->second.dirty_bytes;
    holes_.erase(first, last);
    detail::allow_access(begin, s.reached_bytes);
    if (rules_.unmapping != nullptr && s.state == State::ready)
        rules_.unmapping(reinterpret_cast<void*>(begin), s.bytes);
    munmap(reinterpret_cast<void*>(begin), static_cast<std::size_t>(s.bytes));
    return segments_.erase(segment);
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// Segments of the heap: address space of the system, made ready for use, given back when no block uses it.
#include "frond/base/host_heap.hpp"
#include "frond/base/large_vector.hpp"
#include "system_pages.hpp"

#include <algorithm>
#include <sys/mman.h>

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

// Holes of the heap: the ranges of its segments that no block uses, and the pages of the system in them.

/// The first one that is large enough. If memory takes long to be made ready, the smallest such one: then blocks of the
/// same sizes, in the same order as before, need no other segments than before.
HostHeap::Holes::iterator HostHeap::hole_for(count_t bytes) {
    const auto fits = [bytes](const auto& hole) { return hole.second.bytes >= bytes; };
    if (rules_.mapped == nullptr) return std::find_if(holes_.begin(), holes_.end(), fits);
    auto best = holes_.end();
    for (auto hole = holes_.begin(); hole != holes_.end(); ++hole)
        if (fits(*hole) && (best == holes_.end() || hole->second.bytes < best->second.bytes)) best = hole;
    return best;
}

HostHeap::Address HostHeap::take(Address hole, count_t bytes) {
    const auto found = holes_.find(hole);
    const Hole whole = found->second;
    const count_t rest = whole.bytes - bytes, reused = std::min(whole.dirty_bytes, bytes);
    const Address end = hole + static_cast<Address>(bytes);
    if (rest > 0) holes_.emplace(end, Hole{rest, whole.dirty_bytes - reused});
    holes_.erase(found);
    dirty_bytes_ -= reused;
    if (bytes > reused) give_back_dirty_pages();
    const auto segment = segment_of(hole);
    segment->second.used_bytes += bytes;
    used_bytes_ += bytes;
    new_bytes_ += bytes - reused;
    // The first page behind a block stands for the rest of the hole, which may be all of the memory.
    const count_t guard_bytes = std::min(rest, detail::page_bytes);
    forbid(segment->second, end, guard_bytes);
    const count_t reach = static_cast<count_t>(end - segment->first) + guard_bytes;
    segment->second.reached_bytes = std::max(segment->second.reached_bytes, reach);
    return hole;
}

/// Neighbouring holes of the same segment are joined; segments may lie side by side. What is dirty of the joined hole is
/// counted from its begin: a clean part in between counts as dirty.
void HostHeap::make_hole(Address begin, count_t bytes, Segments::iterator segment) noexcept {
    const Address end = begin + static_cast<Address>(bytes);
    Hole joined{bytes, bytes};
    dirty_bytes_ += bytes;
    const auto next = holes_.lower_bound(begin);
    if (next != holes_.end() && next->first == end && segment_of(end) == segment) {
        joined.bytes += next->second.bytes;
        if (next->second.dirty_bytes > 0) joined.dirty_bytes += next->second.dirty_bytes;
        holes_.erase(next);
    }
    const auto after = holes_.lower_bound(begin);
    if (after != holes_.begin()) {
        const auto before = std::prev(after);
        Hole& hole = before->second;
        if (before->first + static_cast<Address>(hole.bytes) == begin && begin != segment->first) {
            dirty_bytes_ += hole.bytes - hole.dirty_bytes;
            hole = {hole.bytes + joined.bytes, hole.bytes + joined.dirty_bytes};
            return;
        }
    }
    try {
        holes_.emplace(begin, joined);
    } catch (...) {
        // The range stays mapped but unused until its segment is trimmed.
        dirty_bytes_ -= joined.dirty_bytes;
    }
}

/// Fresh pages are about to be touched although holes hold others. These go back to the system, the
/// largest first, while they are more than a twentieth of what is in use.
void HostHeap::give_back_dirty_pages() noexcept {
    while (rules_.mapped == nullptr && dirty_bytes_ > std::max(used_bytes_ / 20, smallest_dirty_bytes)) {
        const auto largest = std::max_element(holes_.begin(), holes_.end(), [](const auto& a, const auto& b) {
            return a.second.dirty_bytes < b.second.dirty_bytes;
        });
        if (!give_back_hole(largest->first, largest->second)) return;
    }
}

bool HostHeap::give_back_hole(Address address, Hole& hole) noexcept {
    if (madvise(reinterpret_cast<void*>(address), static_cast<std::size_t>(hole.dirty_bytes), MADV_DONTNEED) != 0)
        return false;
    dirty_bytes_ -= hole.dirty_bytes;
    hole.dirty_bytes = 0;
    return true;
}

void HostHeap::give_back() noexcept {
    const std::lock_guard lock(mutex_);
    give_back_locked();
}

void HostHeap::give_back_locked() noexcept {
    trim_locked();
    if (rules_.mapped != nullptr) return;
    for (auto& [address, hole] : holes_)
        if (hole.dirty_bytes > 0) give_back_hole(address, hole);
}

}  // namespace frond

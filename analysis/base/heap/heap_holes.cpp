// SPDX-License-Identifier: BSD-3-Clause
// Holes of the heap: the ranges of its segments that no block uses, and the pages of the system in them.
#include "frond/base/host_heap.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "system_pages.hpp"

namespace frond {

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

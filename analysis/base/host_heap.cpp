// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/host_heap.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

#include "frond/base/error.hpp"
#include "frond/base/sanitizers.hpp"

#if FROND_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace frond {
namespace {

constexpr count_t page_bytes = 4096;
constexpr count_t huge_page_bytes = count_t{2} << 20;
constexpr count_t smallest_segment_bytes = count_t{64} << 20;
constexpr count_t smallest_dirty_bytes = count_t{4} << 20;

count_t rounded(count_t bytes, count_t to) { return (bytes + to - 1) / to * to; }

/// Address space as large as the machine's memory: pages are only taken when they are touched, and in
/// one segment the same blocks fall into the same places at the next factorization.
count_t wanted_segment_bytes() {
    static const count_t bytes =
        static_cast<count_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<count_t>(sysconf(_SC_PAGESIZE));
    return std::max(bytes, smallest_segment_bytes);
}

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

// AddressSanitizer knows malloc's blocks; these tell it ours. Without it they do nothing.
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

/// Of whole pages that are mapped; 0 where the system does not say.
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

[[noreturn]] void refuse(count_t bytes) {
    throw OutOfMemory("the system refused " + std::to_string(bytes) +
                          " bytes of memory; free memory or lower memory_budget_bytes",
                      bytes);
}

}  // namespace

void* HostHeap::allocate(count_t bytes) {
    void* const block =
        allocate_mapped(bytes, rules_.segment_bytes > 0 ? rules_.segment_bytes : wanted_segment_bytes());
    if (be_ready(block)) return block;
    release(block, bytes);
    refuse(bytes);
}

void* HostHeap::allocate_unready(count_t bytes) { return allocate_mapped(bytes, 0); }

void* HostHeap::allocate_mapped(count_t bytes, count_t segment_bytes) {
    const count_t asked_bytes = bytes;
    bytes = rounded(bytes, page_bytes);
    const std::lock_guard lock(mutex_);
    if (bytes > limit_bytes_ - used_bytes_) refuse(bytes);
    const auto hole = hole_for(bytes);
    const Address begin = take(hole != holes_.end() ? hole->first : add_segment(bytes, segment_bytes), bytes);
    allow_access(begin, asked_bytes);
    forbid(segment_of(begin)->second, begin + static_cast<Address>(asked_bytes), bytes - asked_bytes);
    return reinterpret_cast<void*>(begin);
}

/// The first one that is large enough. Of memory that takes long to be made ready the smallest such one: then blocks of the
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
    const count_t guard_bytes = std::min(rest, page_bytes);
    forbid(segment->second, end, guard_bytes);
    const count_t reach = static_cast<count_t>(end - segment->first) + guard_bytes;
    segment->second.reached_bytes = std::max(segment->second.reached_bytes, reach);
    return hole;
}

/// Who makes a segment ready may touch all of it.
void HostHeap::forbid(const Segment& segment, Address begin, count_t bytes) noexcept {
    if (segment.state == State::ready) forbid_access(begin, bytes);
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

HostHeap::Address HostHeap::add_segment(count_t bytes, count_t wanted_bytes) {
    const count_t least = rounded(std::max(bytes, smallest_segment_bytes), huge_page_bytes);
    count_t size = std::max(least, rounded(wanted_bytes, huge_page_bytes));
    Address begin = map_segment(size);
    while (begin == 0 && size > least) {
        size = std::max(least, rounded(size / 2, huge_page_bytes));
        begin = map_segment(size);
    }
    if (begin == 0) refuse(bytes);
    if (rules_.huge_pages)  // a wish only
        static_cast<void>(madvise(reinterpret_cast<void*>(begin), static_cast<std::size_t>(size), MADV_HUGEPAGE));
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

void HostHeap::release(void* data, count_t bytes) noexcept {
    bytes = rounded(bytes, page_bytes);
    const std::lock_guard lock(mutex_);
    const auto begin = reinterpret_cast<Address>(data);
    const auto segment = segment_of(begin);
    segment->second.used_bytes -= bytes;
    used_bytes_ -= bytes;
    forbid(segment->second, begin, bytes);
    make_hole(begin, bytes, segment);
    if (segment->second.used_bytes == 0 && segment->second.state == State::mapped) drop(segment);
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
    allow_access(begin, s.reached_bytes);
    if (rules_.unmapping != nullptr && s.state == State::ready)
        rules_.unmapping(reinterpret_cast<void*>(begin), s.bytes);
    munmap(reinterpret_cast<void*>(begin), static_cast<std::size_t>(s.bytes));
    return segments_.erase(segment);
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
    for (const auto& [address, hole] : holes_) sum += resident_bytes(address, hole.dirty_bytes);
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
    static HostHeap heap;
    return heap;
}

}  // namespace frond

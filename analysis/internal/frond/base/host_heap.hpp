// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <condition_variable>
#include <limits>
#include <map>
#include <mutex>

namespace frond {

/// Large blocks of host memory that go round: address space cut first-fit (best-fit where more is done with segments than
/// mapping them), freed neighbours joined.
/// The system clears every page it hands out, which cost a third of a factorization's time when each
/// block was mapped by itself (docs/memory.md).
///
/// @par Thread safety  all members. fork() waits until no thread changes a heap, so that a child may use and destroy what
/// its parent made.
class HostHeap {
public:
    /// For memory that more is done with than mapping it.
    struct SegmentRules {
        count_t segment_bytes = 0;  // 0: as large as the machine's memory
        bool huge_pages = false;  // asked for
        /// Makes a mapped segment ready, by so many threads (false: it will not do, and the heap refuses); before a ready
        /// segment goes. With them its pages stay until it goes.
        bool (*mapped)(void* data, count_t bytes, index_t threads) = nullptr;
        void (*unmapping)(void* data, count_t bytes) = nullptr;
    };
    static constexpr index_t all_threads = std::numeric_limits<index_t>::max();
    /// Unless somebody asks for less.
    static constexpr count_t smallest_segment_bytes = count_t{64} << 20;

    HostHeap() : HostHeap(SegmentRules{}) {}
    /// @throws std::bad_alloc
    explicit HostHeap(const SegmentRules& rules);
    HostHeap(const HostHeap&) = delete;
    HostHeap& operator=(const HostHeap&) = delete;
    ~HostHeap();

    /// Uninitialised memory aligned to 4096 bytes. @throws OutOfMemory
    void* allocate(count_t bytes);
    /// The same, but a new segment is only mapped: nobody may use the block before be_ready(). It is no larger than the
    /// block, or least_segment_bytes, so that nothing is made ready in vain. @throws OutOfMemory
    void* allocate_unready(count_t bytes, count_t least_segment_bytes = smallest_segment_bytes);
    bool is_ready(const void* block) const;
    /// Makes the segment of the block ready, unless it is. Several threads may do so with segments of their own, or wait for
    /// each other with the same one. False: it will not do; then the block may be released alone.
    bool be_ready(const void* block, index_t threads = all_threads);
    void release(void* data, count_t bytes) noexcept;
    /// Gives segments without a block in use back to the system.
    void trim() noexcept;
    /// Gives all that no block uses back to the system: trim(), and the pages of the holes that are left, but for those
    /// of segments that more was done with than mapping them.
    void give_back() noexcept;

    count_t mapped_bytes() const;
    /// Memory that no block uses and the system has given: what blocks can grow by at no cost to it. Counted anew, page
    /// by page: of a block never touched the system has given nothing. Cost: O(pages that released blocks had).
    count_t reusable_bytes() const;
    /// Bytes of the blocks in use, in whole pages.
    count_t used_bytes() const;
    /// The bytes of all blocks so far in whole pages that the system clears at their first write, if all are written.
    count_t new_bytes() const;
    /// Blocks beyond it are refused as if by the system: for tests of what happens then.
    void limit_used_bytes(count_t limit_bytes);
    static constexpr count_t no_limit = std::numeric_limits<count_t>::max();

private:
    enum class State : std::uint8_t { mapped, being_made_ready, ready };

    struct Segment {
        count_t bytes = 0;
        State state = State::ready;
        count_t used_bytes = 0;
        count_t reached_bytes = 0;  // from its begin to the end of the furthest block it ever held
    };
    using Address = std::uintptr_t;

    /// A free range; dirty: how much of it, from its begin, may hold pages of the system.
    struct Hole {
        count_t bytes = 0;
        count_t dirty_bytes = 0;
    };

    /// Fewer in all holes are not worth the system's calls.
    static constexpr count_t smallest_dirty_bytes = count_t{4} << 20;

    using Segments = std::map<Address, Segment>;
    using Holes = std::map<Address, Hole>;
    Holes::iterator hole_for(count_t bytes);
    void* allocate_mapped(count_t bytes, count_t segment_bytes, count_t least_segment_bytes);
    Address take(Address hole, count_t bytes);
    void make_hole(Address begin, count_t bytes, Segments::iterator segment) noexcept;
    static void forbid(const Segment& segment, Address begin, count_t bytes) noexcept;
    Segments::iterator drop(Segments::iterator segment) noexcept;
    void give_back_dirty_pages() noexcept;
    bool give_back_hole(Address address, Hole& hole) noexcept;
    void trim_locked() noexcept;
    void give_back_locked() noexcept;
    friend class HeapUse;
    void begin_use() noexcept;
    void end_use() noexcept;
    Address add_segment(count_t bytes, count_t wanted_bytes, count_t least_bytes);
    Segments::iterator segment_of(Address address);

    struct AllHeaps;
    static AllHeaps& all_heaps();

    SegmentRules rules_;
    mutable std::mutex mutex_;
    count_t used_bytes_ = 0;
    count_t new_bytes_ = 0;
    count_t limit_bytes_ = no_limit;
    Segments segments_;
    std::condition_variable state_changed_;
    Holes holes_;
    count_t dirty_bytes_ = 0;  // of all holes
    count_t uses_ = 0;
};

/// While there is one, the heap keeps the pages of released blocks for the blocks to come. The last one that ends gives
/// them back, but for some MB, which are not worth the system's calls.
class HeapUse {
public:
    explicit HeapUse(HostHeap& heap) noexcept : heap_(heap) { heap_.begin_use(); }
    HeapUse(const HeapUse&) = delete;
    HeapUse& operator=(const HeapUse&) = delete;
    ~HeapUse() { heap_.end_use(); }

private:
    HostHeap& heap_;
};

/// The process' heap. One for all: factors grow into the room that contribution blocks leave.
HostHeap& host_heap();

/// Gives memory that was freed back to the system where the C library keeps it (glibc). After the
/// analysis, whose graphs are as large as the matrix and are not needed again.
void return_freed_memory() noexcept;

}  // namespace frond

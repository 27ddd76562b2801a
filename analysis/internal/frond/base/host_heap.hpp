// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <map>
#include <mutex>

#include "frond/base/types.hpp"

namespace frond {

/// Large blocks of host memory that go round: address space cut first-fit, freed neighbours joined.
/// The system clears every page it hands out, which cost a third of a factorization's time when each
/// block was mapped by itself (docs/memory.md).
///
/// @par Thread safety  all members.
class HostHeap {
public:
    /// For memory that more is done with than mapping it.
    struct SegmentRules {
        count_t segment_bytes = 0;  // 0: as large as the machine's memory
        bool huge_pages = false;  // asked for
        /// After a segment was mapped (false: it will not do, and the heap refuses), and before it goes. With them
        /// its pages stay until it goes.
        bool (*mapped)(void* data, count_t bytes) = nullptr;
        void (*unmapping)(void* data, count_t bytes) = nullptr;
    };

    HostHeap() = default;
    explicit HostHeap(const SegmentRules& rules) : rules_(rules) {}
    HostHeap(const HostHeap&) = delete;
    HostHeap& operator=(const HostHeap&) = delete;
    ~HostHeap() { trim(); }

    /// Uninitialised memory aligned to 4096 bytes. @throws OutOfMemory
    void* allocate(count_t bytes);
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
    /// Of all blocks so far, whole pages that the system clears when they are first written, if all of them are.
    count_t new_bytes() const;
    /// Blocks beyond it are refused as if by the system: for tests of what happens then.
    void limit_used_bytes(count_t limit_bytes);
    static constexpr count_t no_limit = std::numeric_limits<count_t>::max();

private:
    struct Segment {
        count_t bytes = 0;
        count_t used_bytes = 0;
        count_t reached_bytes = 0;  // from its begin to the end of the furthest block it ever held
    };
    using Address = std::uintptr_t;

    /// A free range; dirty: how much of it, from its begin, may hold pages of the system.
    struct Hole {
        count_t bytes = 0;
        count_t dirty_bytes = 0;
    };

    Address take(Address hole, count_t bytes);
    void give_back_dirty_pages() noexcept;
    bool give_back_hole(Address address, Hole& hole) noexcept;
    void trim_locked() noexcept;
    void give_back_locked() noexcept;
    friend class HeapUse;
    void begin_use() noexcept;
    void end_use() noexcept;
    Address add_segment(count_t bytes);
    std::map<Address, Segment>::iterator segment_of(Address address);

    SegmentRules rules_;
    mutable std::mutex mutex_;
    count_t used_bytes_ = 0;
    count_t new_bytes_ = 0;
    count_t limit_bytes_ = no_limit;
    std::map<Address, Segment> segments_;
    std::map<Address, Hole> holes_;  // by address
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

}  // namespace frond

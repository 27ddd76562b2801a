// SPDX-License-Identifier: BSD-3-Clause
// operator new that fails on request. Include it in exactly one source of a test program: it
// replaces the global operators of the whole program.
#pragma once

#include "frond/base/error.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace frond::test {

inline std::atomic<long> allocations_left{std::numeric_limits<long>::max()};
inline std::atomic<long> live_allocations{0};
inline std::atomic<std::size_t> least_counted_bytes{0};

/// Within its life the allocation number `count` (from 0) and all later ones throw std::bad_alloc; of those of at least so
/// many bytes.
class FailingAllocations {
public:
    explicit FailingAllocations(long count, std::size_t least_bytes = 0) {
        least_counted_bytes = least_bytes;
        allocations_left = count;
    }

    FailingAllocations(const FailingAllocations&) = delete;
    FailingAllocations& operator=(const FailingAllocations&) = delete;

    ~FailingAllocations() { allocations_left = std::numeric_limits<long>::max(); }
};

/// Within its life no allocation fails: for what the test itself needs inside a FailingAllocations.
class WorkingAllocations {
public:
    WorkingAllocations() : left_(allocations_left.exchange(std::numeric_limits<long>::max())) {}

    WorkingAllocations(const WorkingAllocations&) = delete;
    WorkingAllocations& operator=(const WorkingAllocations&) = delete;

    ~WorkingAllocations() { allocations_left = left_; }

private:
    long left_;
};

struct FaultReport {
    long failures = 0;  // calls that ended in OutOfMemory or std::bad_alloc before one went through
    long leaked = 0;  // blocks still held after them
};

/// Calls body with the k-th allocation failing, for k = 0, 1, ... until it succeeds.
template <class Body>
FaultReport fail_every_allocation(Body&& body) {
    FaultReport report;
    for (;; ++report.failures) {
        const long before = live_allocations;
        try {
            const FailingAllocations armed(report.failures);
            body();
            report.leaked += live_allocations - before;
            return report;
        } catch (const OutOfMemory&) {
        } catch (const std::bad_alloc&) {  // of functions that are not public
        }
        report.leaked += live_allocations - before;
    }
}

/// Null when it fails.
inline void* counted_allocation(std::size_t bytes, std::size_t alignment = 1) {
    if (bytes >= least_counted_bytes && allocations_left.fetch_sub(1) <= 0) return nullptr;
    const std::size_t whole = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    void* const block = alignment == 1 ? std::malloc(whole) : std::aligned_alloc(alignment, whole);
    if (block != nullptr) ++live_allocations;
    return block;
}

inline void* not_null(void* block) {
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

/// Not inlined: GCC would see malloc's free given what came from new, and warn.
[[gnu::noinline]] inline void counted_release(void* block) noexcept {
    if (block == nullptr) return;
    --live_allocations;
    std::free(block);
}

}  // namespace frond::test

void* operator new(std::size_t bytes) { return frond::test::not_null(frond::test::counted_allocation(bytes)); }

void* operator new[](std::size_t bytes) { return frond::test::not_null(frond::test::counted_allocation(bytes)); }

void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return frond::test::not_null(frond::test::counted_allocation(bytes, static_cast<std::size_t>(alignment)));
}

void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return frond::test::counted_allocation(bytes, static_cast<std::size_t>(alignment));
}

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {  // std::stable_sort
    return frond::test::counted_allocation(bytes);
}

void operator delete(void* block, std::align_val_t) noexcept { frond::test::counted_release(block); }

void operator delete(void* block, std::size_t, std::align_val_t) noexcept { frond::test::counted_release(block); }

void operator delete(void* block) noexcept { frond::test::counted_release(block); }

void operator delete[](void* block) noexcept { frond::test::counted_release(block); }

void operator delete(void* block, std::size_t) noexcept { frond::test::counted_release(block); }

void operator delete[](void* block, std::size_t) noexcept { frond::test::counted_release(block); }

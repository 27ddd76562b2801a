// SPDX-License-Identifier: BSD-3-Clause
// operator new that fails on request. Include it in exactly one source of a test program: it
// replaces the global operators of the whole program.
#pragma once

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace frond::test {

inline std::atomic<long> allocations_left{std::numeric_limits<long>::max()};
inline std::atomic<long> live_allocations{0};

/// Within its life the allocation number `count` (from 0) and all later ones throw std::bad_alloc.
class FailingAllocations {
public:
    explicit FailingAllocations(long count) { allocations_left = count; }

    FailingAllocations(const FailingAllocations&) = delete;
    FailingAllocations& operator=(const FailingAllocations&) = delete;

    ~FailingAllocations() { allocations_left = std::numeric_limits<long>::max(); }
};

struct FaultReport {
    long failures = 0; // calls that ended in std::bad_alloc before one went through
    long leaked = 0;   // blocks still held after them
};

/// Calls body with the k-th allocation failing, for k = 0, 1, ... until it succeeds.
template<class Body>
FaultReport fail_every_allocation(Body&& body) {
    FaultReport report;
    for (;; ++report.failures) {
        const long before = live_allocations;
        try {
            const FailingAllocations armed(report.failures);
            body();
            report.leaked += live_allocations - before;
            return report;
        } catch (const std::bad_alloc&) {
        }
        report.leaked += live_allocations - before;
    }
}

inline void* counted_allocation(std::size_t bytes) {
    if (allocations_left.fetch_sub(1) <= 0) throw std::bad_alloc();
    void* const block = std::malloc(bytes == 0 ? 1 : bytes);
    if (block == nullptr) throw std::bad_alloc();
    ++live_allocations;
    return block;
}

inline void counted_release(void* block) noexcept {
    if (block == nullptr) return;
    --live_allocations;
    std::free(block);
}

} // namespace frond::test

void* operator new(std::size_t bytes) {
    return frond::test::counted_allocation(bytes);
}

void* operator new[](std::size_t bytes) {
    return frond::test::counted_allocation(bytes);
}

void operator delete(void* block) noexcept {
    frond::test::counted_release(block);
}

void operator delete[](void* block) noexcept {
    frond::test::counted_release(block);
}

void operator delete(void* block, std::size_t) noexcept {
    frond::test::counted_release(block);
}

void operator delete[](void* block, std::size_t) noexcept {
    frond::test::counted_release(block);
}

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "frond/base/host_block.hpp"

namespace frond::detail {

/// A thread makes memory of a heap ready before it is needed, while the caller does other work. If the system refuses
/// some, there is less of it: whoever needs more asks the heap, and gets the error. Any thread may make all calls.
class PinnedAhead {
public:
    /// The heap must outlive this.
    explicit PinnedAhead(HostHeap& heap) : heap_(heap) {}
    PinnedAhead(const PinnedAhead&) = delete;
    PinnedAhead& operator=(const PinnedAhead&) = delete;
    ~PinnedAhead() { leave(); }

    /// Leaves what was begun before, then begins so many bytes in blocks of that size. Returns the number of this begin.
    count_t begin(count_t bytes, count_t block_bytes);
    /// Stops after the present block. What is ready is free memory of the heap from then on.
    void leave() noexcept;
    /// Stops, and the heap gives its free memory back to the system. Does nothing if that number was left before.
    void give_back(count_t number) noexcept;
    /// Returns when all is ready or refused, for tests.
    void wait() noexcept;

private:
    void pin(count_t bytes, count_t block_bytes) noexcept;
    void end() noexcept;

    HostHeap& heap_;
    std::mutex mutex_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
    std::vector<HostBlock> blocks_;
    count_t number_ = 0;
    bool has_begun_ = false;
};

}  // namespace frond::detail

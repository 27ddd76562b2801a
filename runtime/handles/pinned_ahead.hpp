// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "frond/base/host_block.hpp"

namespace frond::detail {

/// Memory of a heap that is made ready on a thread, beside what the caller does before somebody needs it. Where it is
/// refused there is less of it: who needs it asks the heap for it, and gets the error. All calls from any thread.
class PinnedAhead {
public:
    /// The heap must outlive this.
    explicit PinnedAhead(HostHeap& heap) : heap_(heap) {}
    PinnedAhead(const PinnedAhead&) = delete;
    PinnedAhead& operator=(const PinnedAhead&) = delete;
    ~PinnedAhead() { leave(); }

    /// So many bytes in blocks of that size, after what was begun before is left. Returns its number.
    count_t begin(count_t bytes, count_t block_bytes);
    /// After the block in work: what is ready is free memory of the heap from now on.
    void leave() noexcept;
    /// The same, and the heap gives its free memory back to the system. Nothing, if that number was left before.
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

// SPDX-License-Identifier: BSD-3-Clause
// Loops of the analysis on threads. What a chunk is never depends on how many there are.
#pragma once

#include "frond/base/types.hpp"

#include <atomic>
#include <functional>

namespace frond {

/// Hands out the chunks 0 .. count-1, each once, in ascending order.
class Chunks {
public:
    explicit Chunks(count_t count) : count_(count) {}

    /// False when there are none left.
    bool take(count_t& chunk) {
        chunk = next_.fetch_add(1, std::memory_order_relaxed);
        return chunk < count_;
    }

    void drop_the_rest() { next_ = count_; }

private:
    std::atomic<count_t> next_ = 0;
    count_t count_;
};

/// Calls work(chunks) on at most `threads` threads, the calling one among them; each takes chunks
/// until none are left. Returns when all have ended, and throws what one of them threw.
void on_threads(index_t threads, count_t count, const std::function<void(Chunks&)>& work);

/// body(0) .. body(count - 1), in any order.
void for_each_chunk(index_t threads, count_t count, const std::function<void(count_t)>& body);

/// A range cut into chunks of `size`, the last one shorter.
struct ChunkedRange {
    count_t end;
    count_t size;

    count_t count() const { return (end + size - 1) / size; }

    count_t first(count_t chunk) const { return chunk * size; }

    count_t last(count_t chunk) const { return chunk + 1 < count() ? (chunk + 1) * size : end; }
};

/// Threads for work on so many entries: those asked for, or one a core that the process may use;
/// one where threads would take longer to start than the work.
index_t threads_for(index_t asked, count_t entries);

}  // namespace frond

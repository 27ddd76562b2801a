// SPDX-License-Identifier: BSD-3-Clause
#include "session/starpu/pinned_segments.hpp"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

#include "frond/codelets/time_models.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::detail {
namespace {

constexpr count_t page_bytes = 4096;
constexpr index_t most_threads = 16;
constexpr count_t least_bytes_of_thread = count_t{4} << 20;  // fewer are quicker to touch than a thread to start

/// Pinning touches pages one after the other: 0.37 s a GB. Touched before by many threads, in huge pages, they take
/// a tenth of that (bench/results/gpu-memory.md).
void touch(char* data, count_t bytes, index_t most) {
    const auto cores = static_cast<index_t>(std::thread::hardware_concurrency());
    const count_t threads =
        std::clamp<count_t>(bytes / least_bytes_of_thread, 1, std::max(std::min({cores, most, most_threads}), 1));
    std::vector<std::thread> others;
    const auto part = [=](count_t t) {
        for (count_t b = bytes / threads * t; b < (t + 1 == threads ? bytes : bytes / threads * (t + 1));
             b += page_bytes)
            data[b] = 0;
    };
    try {
        for (count_t t = 1; t < threads; ++t) others.emplace_back(part, t);
    } catch (...) {  // no more threads: pinning touches the rest
    }
    part(0);
    for (std::thread& t : others) t.join();
}

/// One at a time: the card's driver does one after the other, and what a worker asks of it would wait for all that do.
bool pin(void* data, count_t bytes, index_t threads) {
    if (!simulates()) touch(static_cast<char*>(data), bytes, threads);
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    return gpu::pin_host_memory(data, bytes);
}

void unpin(void* data, count_t) { gpu::unpin_host_memory(data); }

}  // namespace

HostHeap::SegmentRules pinned_segments() {
    HostHeap::SegmentRules rules;
    rules.segment_bytes = count_t{256} << 20;
    rules.huge_pages = true;
    rules.mapped = pin;
    rules.unmapping = unpin;
    return rules;
}

}  // namespace frond::detail

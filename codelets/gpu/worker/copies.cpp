// SPDX-License-Identifier: BSD-3-Clause
#include "copies.hpp"

#include <atomic>

#include "check.hpp"
#include "frond/gpu/copied_bytes.hpp"

namespace frond::gpu {
namespace {

std::atomic<count_t> sent{0}, fetched{0};

}  // namespace

void send(void* device, const void* host, std::size_t bytes, const char* what) {
    check(FROND_GPU(MemcpyAsync)(device, host, bytes, FROND_GPU(MemcpyHostToDevice), task_stream()), what);
    count_sent(bytes);
}

void fetch(void* host, const void* device, std::size_t bytes, const char* what) {
    check(FROND_GPU(MemcpyAsync)(host, device, bytes, FROND_GPU(MemcpyDeviceToHost), task_stream()), what);
    count_fetched(bytes);
}

// Sums alone are read, once the tasks have ended: no order with other memory is needed.
void count_sent(std::size_t bytes) noexcept { sent.fetch_add(static_cast<count_t>(bytes), std::memory_order_relaxed); }

void count_fetched(std::size_t bytes) noexcept {
    fetched.fetch_add(static_cast<count_t>(bytes), std::memory_order_relaxed);
}

CopiedBytes take_copied_bytes() noexcept {
    return {sent.exchange(0, std::memory_order_relaxed), fetched.exchange(0, std::memory_order_relaxed)};
}

}  // namespace frond::gpu

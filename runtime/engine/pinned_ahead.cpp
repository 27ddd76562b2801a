// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pinned_ahead.hpp"

#include <algorithm>
#include <exception>
#include <system_error>

namespace frond::detail {

count_t PinnedAhead::begin(count_t bytes, count_t block_bytes) {
    const std::lock_guard lock(mutex_);
    end();
    ++number_;
    stop_ = false;
    has_begun_ = true;
    try {
        thread_ = std::thread([this, bytes, block_bytes] { pin(bytes, block_bytes); });
    } catch (const std::system_error&) {  // no more threads
    }
    return number_;
}

void PinnedAhead::pin(count_t bytes, count_t block_bytes) noexcept try {
    for (count_t done = 0; done < bytes && !stop_; done += block_bytes) {
        blocks_.push_back(HostBlock::unready(std::min(block_bytes, bytes - done), heap_));
        blocks_.back().be_ready(HostHeap::all_threads);
    }
} catch (const std::exception&) {  // refused
}

void PinnedAhead::end() noexcept {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    blocks_.clear();
    has_begun_ = false;
}

void PinnedAhead::leave() noexcept {
    const std::lock_guard lock(mutex_);
    end();
}

void PinnedAhead::give_back(count_t number) noexcept {
    const std::lock_guard lock(mutex_);
    if (number != number_ || !has_begun_) return;
    end();
    heap_.trim();
}

void PinnedAhead::wait() noexcept {
    const std::lock_guard lock(mutex_);
    if (thread_.joinable()) thread_.join();
}

}  // namespace frond::detail

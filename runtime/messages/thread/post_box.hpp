// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

#include "messages/thread/pauses.hpp"
#include "messages/thread/posted_message.hpp"

namespace frond::detail {

/// Messages whose data are acquired, from any thread to the one that makes messages proceed.
class PostBox {
public:
    /// wakes: the thread that sleeps here.
    void put(PostedMessage* message, bool wakes) noexcept {
        message->next = nullptr;  // it may have been here before
        {
            const std::lock_guard lock(mutex_);
            (last_ == nullptr ? first_ : last_->next) = message;
            last_ = message;
        }
        if (wakes) wake(true);
    }
    /// Also from a pause, where it is not to end by itself.
    void wake(bool from_pause) noexcept {
        {
            const std::lock_guard lock(mutex_);
            if (sleep_ == Sleep::no || (sleep_ == Sleep::pause && !from_pause)) return;
            sleep_ = Sleep::no;
        }
        changed_.notify_one();
    }
    void close() noexcept {
        {
            const std::lock_guard lock(mutex_);
            is_closed_ = true;
        }
        changed_.notify_one();
    }
    /// All that are there, as a list.
    PostedMessage* take() {
        const std::lock_guard lock(mutex_);
        last_ = nullptr;
        return std::exchange(first_, nullptr);
    }
    bool has_any() {
        const std::lock_guard lock(mutex_);
        return first_ != nullptr;
    }
    /// Waits until somebody wakes the thread (true), or the box is closed. is_waiting: it need not sleep.
    bool wait(const std::atomic<bool>& is_waiting) {
        std::unique_lock lock(mutex_);
        sleep_ = Sleep::long_one;
        changed_.wait(lock, [&] { return first_ != nullptr || is_closed_ || sleep_ == Sleep::no || is_waiting; });
        sleep_ = Sleep::no;
        return first_ != nullptr || !is_closed_;
    }
    void wait_for(Pauses::Duration duration) {
        std::unique_lock lock(mutex_);
        sleep_ = Sleep::pause;
        changed_.wait_for(lock, duration, [this] { return first_ != nullptr || sleep_ == Sleep::no; });
        sleep_ = Sleep::no;
    }

private:
    enum class Sleep : std::uint8_t { no, pause, long_one };

    std::mutex mutex_;
    std::condition_variable changed_;
    PostedMessage* first_ = nullptr;
    PostedMessage* last_ = nullptr;
    Sleep sleep_ = Sleep::no;
    bool is_closed_ = false;
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "messages/thread/message_thread.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "frond/base/error.hpp"
#include "messages/thread/exchange.hpp"
#include "messages/thread/idle_workers.hpp"
#include "messages/thread/pauses.hpp"
#include "messages/thread/short_turns.hpp"

namespace frond::detail {
namespace {

/// Messages whose data are acquired, from any thread to one.
class PostBox {
public:
    void put(PostedMessage* message) noexcept {
        bool wake = false;
        {
            const std::lock_guard lock(mutex_);
            (last_ == nullptr ? first_ : last_->next) = message;
            last_ = message;
            wake = std::exchange(is_asleep_, false);
        }
        if (wake) changed_.notify_one();
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
    /// Until there is a message (true), or the box is closed.
    bool wait() {
        std::unique_lock lock(mutex_);
        is_asleep_ = true;
        changed_.wait(lock, [this] { return first_ != nullptr || is_closed_; });
        is_asleep_ = false;
        return first_ != nullptr;
    }
    void wait_for(Pauses::Duration duration) {
        std::unique_lock lock(mutex_);
        is_asleep_ = true;
        changed_.wait_for(lock, duration, [this] { return first_ != nullptr; });
        is_asleep_ = false;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    PostedMessage* first_ = nullptr;
    PostedMessage* last_ = nullptr;
    bool is_asleep_ = false, is_closed_ = false;
};

class MessageThread final : public MessageLibrary {
public:
    explicit MessageThread(std::unique_ptr<Wire> wire) : wire_(std::move(wire)), exchange_(*wire_) {
        try {
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error& error) {
            throw RuntimeError(std::string("no thread for messages between ranks: ") + error.what());
        }
    }

    int rank() const noexcept override { return wire_->rank(); }
    int ranks() const noexcept override { return wire_->ranks(); }

    int send(_starpu_data_state* data, int rank, std::int64_t tag, int priority, void (*done)(void*),
             void* argument) override {
        PostedMessage message = posted(data, PostedMessage::Way::out, rank, tag, done, argument);
        message.priority = priority;
        return post(STARPU_R, message);
    }
    int receive(_starpu_data_state* data, int rank, std::int64_t tag, void (*done)(void*), void* argument) override {
        return post(STARPU_W, posted(data, PostedMessage::Way::in, rank, tag, done, argument));
    }
    bool has_failed() const noexcept override { return failed_.load(std::memory_order_acquire); }
    std::string failure() const override { return has_failed() ? failure_ : std::string(); }

    void stop() noexcept override {
        box_.close();
        thread_.join();
        workers_.reset();
        if (!has_failed()) wire_->close();
    }

private:
    PostedMessage posted(starpu_data_handle_t data, PostedMessage::Way way, int rank, std::int64_t tag,
                         void (*done)(void*), void* argument) {
        PostedMessage message;
        message.data = data;
        message.way = way;
        message.rank = rank;
        message.tag = tag;
        message.done = done;
        message.argument = argument;
        message.poster = this;
        return message;
    }
    static int post(starpu_data_access_mode mode, const PostedMessage& message) {
        if (!can_travel(message.data)) return -EINVAL;
        auto* const kept = new (std::nothrow) PostedMessage(message);
        if (kept == nullptr) return -ENOMEM;
        const int status = starpu_data_acquire_on_node_cb_sequential_consistency(message.data, STARPU_MAIN_RAM, mode,
                                                                                 acquired, kept, 1);
        if (status != 0) delete kept;
        return status;
    }
    /// On the thread that has ended the last task before it, or that posts.
    static void acquired(void* raw) {
        auto* const message = static_cast<PostedMessage*>(raw);
        static_cast<MessageThread*>(message->poster)->box_.put(message);
    }

    void run() noexcept {
        end_sleeps_in_time();
        ask_for_short_turns();
        while (exchange_.is_waiting() || box_.wait()) {
            if (move()) {
                pauses_.restart();
                continue;
            }
            const Pauses::Duration pause = pauses_.next(exchange_.is_moving());
            if (pause.count() > 0) box_.wait_for(pause);
        }
    }

    /// Whether anything has happened.
    bool move() noexcept {
        PostedMessage* message = box_.take();
        const bool any = message != nullptr;
        try {
            if (has_failed()) throw RuntimeError(failure_);
            while (message != nullptr) exchange_.post(std::exchange(message, message->next));
            return exchange_.look() || any;
        } catch (const std::exception& error) {
            fail(error, message);
            return any;
        }
    }

    void fail(const std::exception& error, PostedMessage* not_posted) noexcept {
        if (!has_failed()) {
            try {
                failure_ = error.what();
            } catch (const std::bad_alloc&) {
                failure_.clear();
            }
            failed_.store(true, std::memory_order_release);
        }
        exchange_.end_all();
        while (not_posted != nullptr) end(std::exchange(not_posted, not_posted->next));
    }

    std::unique_ptr<Wire> wire_;
    std::optional<SleepingWorkers> workers_{std::in_place};
    PostBox box_;
    std::atomic<bool> failed_{false};
    std::string failure_;  // of the thread until failed_ is set
    // What follows is the thread's.
    Exchange exchange_;
    Pauses pauses_;
    std::thread thread_;
};

}  // namespace

std::unique_ptr<MessageLibrary> start_message_thread(std::unique_ptr<Wire> wire) {
    return std::make_unique<MessageThread>(std::move(wire));
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "messages/thread/message_thread.hpp"

#include <atomic>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "frond/base/error.hpp"
#include "messages/thread/acquire_message.hpp"
#include "messages/thread/device_places.hpp"
#include "messages/thread/exchange.hpp"
#include "messages/thread/idle_workers.hpp"
#include "messages/thread/pauses.hpp"
#include "messages/thread/post_box.hpp"
#include "messages/thread/short_turns.hpp"

namespace frond::detail {
namespace {

class MessageThread final : public MessageLibrary {
public:
    explicit MessageThread(std::unique_ptr<Wire> wire)
        : wire_(std::move(wire)),
          copies_(places_.is_empty() ? nullptr : std::make_unique<gpu::ProcessCopies>()),
          exchange_(*wire_, copies_.get(), [this](PostedMessage* message, bool can_be_read) {
              places_.choose_source(*message, can_be_read);
              acquire_on_node(message, acquired);
          }) {
        try {
            workers_.emplace([this] { return look_for_worker(); });
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error& error) {
            throw RuntimeError(std::string("no thread for messages between ranks: ") + error.what());
        }
    }

    int rank() const noexcept override { return wire_->rank(); }
    int ranks() const noexcept override { return wire_->ranks(); }

    int send(_starpu_data_state* data, int rank, std::int64_t tag, MessagePlace place, int priority,
             void (*done)(void*), void* argument) override {
        PostedMessage message = posted(data, PostedMessage::Way::out, rank, tag, done, argument);
        message.priority = priority;
        return acquire_message(message, place, places_, acquired);
    }
    int receive(_starpu_data_state* data, int rank, std::int64_t tag, MessagePlace place, void (*done)(void*),
                void* argument) override {
        return acquire_message(posted(data, PostedMessage::Way::in, rank, tag, done, argument), place, places_,
                               acquired);
    }
    std::int64_t bytes_from_devices() const noexcept override { return exchange_.copied_bytes(); }
    bool has_failed() const noexcept override { return failed_.load(std::memory_order_acquire); }
    std::string failure() const override { return has_failed() ? failure_ : std::string(); }

    void stop() noexcept override {
        box_.close();
        thread_.join();
        workers_.reset();
        while (visitors_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
        copies_.reset();
        wire_->close();
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
    static void acquired(void* raw) {
        auto* const message = static_cast<PostedMessage*>(raw);
        static_cast<MessageThread*>(message->poster)->take(message);
    }
    /// A worker lets it go itself, since the thread would have to wake first and wait for a core; what the thread that
    /// submits posts is collected. Whoever moves the message may end this object's use, but not before the visit ends.
    void take(PostedMessage* message) noexcept {
        visitors_.fetch_add(1, std::memory_order_relaxed);
        const bool is_worker = starpu_worker_get_id() >= 0;
        box_.put(message, !is_worker);
        if (is_worker) {
            move_alone(Reads::no);
            if (is_waiting_) box_.wake(is_moving_);
        }
        visitors_.fetch_sub(1, std::memory_order_release);
    }

    void run() noexcept {
        end_sleeps_in_time();
        ask_for_short_turns();
        if (copies_ != nullptr) copies_->begin_thread();
        while (is_waiting_ || wait()) {
            if (move_alone(Reads::yes)) {
                pauses_.restart();
                continue;
            }
            const Pauses::Duration pause = pauses_.next(is_moving_);
            if (pause.count() > 0) box_.wait_for(pause);
        }
    }

    /// Nobody asks for anything: what other processes free must not be kept for this one.
    bool wait() noexcept {
        if (copies_ != nullptr && !is_taken_.test_and_set(std::memory_order_acquire)) {
            if (!exchange_.is_waiting()) copies_->close();
            is_taken_.clear(std::memory_order_release);
        }
        return box_.wait(is_waiting_);
    }

    bool look_for_worker() noexcept { return is_waiting_ && !has_failed() && move_alone(Reads::yes); }

    enum class Reads : bool { no, yes };

    /// One thread at a time, which also moves what others have put into the box meanwhile; another one returns at once.
    /// Whether anything has happened.
    bool move_alone(Reads reads) noexcept {
        bool any = false;
        do {
            if (is_taken_.test_and_set(std::memory_order_acquire)) return any;
            any = move(reads) || any;
            is_waiting_ = exchange_.is_waiting();
            is_moving_ = exchange_.is_moving();
            is_taken_.clear(std::memory_order_release);
        } while (box_.has_any());
        return any;
    }

    bool move(Reads reads) noexcept {
        PostedMessage* message = box_.take();
        const bool any = message != nullptr;
        try {
            if (has_failed()) throw RuntimeError(failure_);
            while (message != nullptr) exchange_.post(std::exchange(message, message->next));
            if (reads == Reads::yes) return exchange_.look() || any;
            exchange_.send_out();
        } catch (const std::exception& error) {
            fail(error, message);
        }
        return any;
    }

    void fail(const std::exception& error, PostedMessage* not_posted) noexcept {
        if (!has_failed()) {
            try {
                failure_ = error.what();
            } catch (const std::bad_alloc&) {
                failure_.clear();
            }
            failed_.store(true, std::memory_order_release);
            wire_->give_up(error.what());
        }
        exchange_.end_all();
        while (not_posted != nullptr) end(std::exchange(not_posted, not_posted->next));
    }

    std::unique_ptr<Wire> wire_;
    DevicePlaces places_;
    std::unique_ptr<gpu::ProcessCopies> copies_;  // null: no devices
    PostBox box_;
    std::atomic<bool> failed_{false};
    std::atomic<int> visitors_{0};  // in take()
    std::atomic<bool> is_waiting_{false}, is_moving_{false};  // as the exchange said the last time
    std::atomic_flag is_taken_;
    // These belong to the thread that has taken it:
    std::string failure_;  // until failed_ is set
    Exchange exchange_;

    Pauses pauses_;  // of the thread
    std::optional<SleepingWorkers> workers_;
    std::thread thread_;
};

}  // namespace

std::unique_ptr<MessageLibrary> start_message_thread(std::unique_ptr<Wire> wire) {
    return std::make_unique<MessageThread>(std::move(wire));
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// Messages of data of StarPU by what carries them: their counts, their ends, what is refused.
#include "messages/starpu_channel.hpp"

#include <atomic>
#include <cerrno>
#include <new>
#include <string>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/codelets/starpu_start.hpp"

namespace frond::detail {
namespace {

/// What messages under way write to, also when the channel has gone before they ended.
struct Ends {
    MessageLog log;
    std::atomic<count_t> sent{0}, received{0}, sent_bytes{0}, received_bytes{0};
    std::atomic<count_t> pending{0};
};

/// What a message leaves behind until it has ended.
struct UnderWay {
    std::shared_ptr<Ends> ends;
    const MessageLibrary* library = nullptr;
    AfterMessage after;
    count_t bytes = 0;  // of static size
    bool is_packed = false;
};

/// Who hears of the end may destroy the channel.
void end_message(UnderWay* message, MessageEnd end) noexcept {
    const AfterMessage after = message->after;
    message->ends->pending.fetch_sub(1, std::memory_order_release);
    delete message;
    if (after.function != nullptr) after.function(after.argument, end);
}

/// Called on the thread that has packed or unpacked this message.
void sent(void* raw) {
    auto* const message = static_cast<UnderWay*>(raw);
    if (message->library->has_failed()) return end_message(message, MessageEnd::failed);
    message->ends->sent.fetch_add(1);
    message->ends->sent_bytes.fetch_add(message->bytes);
    end_message(message, MessageEnd::done);
}

void received(void* raw) {
    auto* const message = static_cast<UnderWay*>(raw);
    if (message->library->has_failed()) return end_message(message, MessageEnd::failed);
    Ends& ends = *message->ends;
    ends.received.fetch_add(1);
    ends.received_bytes.fetch_add(message->bytes);
    // It is set as the last thing before this call: a thread that reads one message at a time.
    const int status = message->is_packed ? ends.log.status.exchange(0) : 0;
    end_message(message, status == 0            ? MessageEnd::done
                         : status == -ESHUTDOWN ? MessageEnd::sender_stopped
                                                : MessageEnd::unreadable);
}

class StarpuChannel final : public Channel {
public:
    explicit StarpuChannel(std::unique_ptr<MessageLibrary> library) : library_(std::move(library)) {}
    StarpuChannel(const StarpuChannel&) = delete;
    StarpuChannel& operator=(const StarpuChannel&) = delete;
    /// Pending messages, and those of a StarPU that has ended, stay as they are: nobody could end them.
    ~StarpuChannel() override {
        if (pending() == 0 && start_.is_running())
            library_->stop();
        else
            static_cast<void>(library_.release());
    }

    index_t rank() const noexcept override { return library_->rank(); }
    index_t ranks() const noexcept override { return library_->ranks(); }

    void send(starpu_data_handle_t data, index_t rank, const MessageTag& tag, int priority, AfterMessage after,
              MessagePlace place) override {
        const std::int64_t packed_tag = tag.packed();
        UnderWay* const message = begin(data, rank, after);
        expect_posted(message, library_->send(data, rank, packed_tag, place, priority, sent, message));
    }
    void receive(starpu_data_handle_t data, index_t rank, const MessageTag& tag, AfterMessage after,
                 MessagePlace place) override {
        const std::int64_t packed_tag = tag.packed();
        UnderWay* const message = begin(data, rank, after);
        expect_posted(message, library_->receive(data, rank, packed_tag, place, received, message));
    }

    MessageCounts counts() const noexcept override {
        return {ends_->sent.load(), ends_->received.load(), ends_->sent_bytes.load() + ends_->log.packed_bytes.load(),
                ends_->received_bytes.load() + ends_->log.unpacked_bytes.load(), library_->bytes_from_devices()};
    }
    count_t pending() const noexcept override { return ends_->pending.load(std::memory_order_acquire); }

private:
    UnderWay* begin(starpu_data_handle_t data, index_t rank, AfterMessage after) {
        if (rank < 0 || rank >= ranks() || rank == this->rank())
            throw InvalidArgument("rank " + std::to_string(this->rank()) + " has no message for rank " +
                                  std::to_string(rank) + "; ranks are 0 .. " + std::to_string(ranks() - 1));
        if (library_->has_failed()) throw RuntimeError("messages between ranks have failed: " + library_->failure());
        UnderWay message{ends_, library_.get(), after, 0,
                         log_object_messages(data, ends_->log) || log_record_messages(data, ends_->log)};
        if (!message.is_packed) message.bytes = static_cast<count_t>(starpu_data_get_size(data));
        if (message.bytes > most_static_bytes)
            throw InvalidArgument("a message of " + std::to_string(message.bytes) + " bytes is larger than " +
                                  std::to_string(most_static_bytes) + "; send it in parts");
        auto* const kept = new (std::nothrow) UnderWay(std::move(message));
        if (kept == nullptr) throw OutOfMemory("no memory for a message", sizeof(UnderWay));
        ends_->pending.fetch_add(1, std::memory_order_relaxed);
        return kept;
    }
    static void expect_posted(UnderWay* message, int status) {
        if (status == 0) return;
        message->ends->pending.fetch_sub(1, std::memory_order_relaxed);
        delete message;
        if (status == -ENOMEM) throw OutOfMemory("no memory for a message", sizeof(UnderWay));
        throw RuntimeError("a message was refused with code " + std::to_string(status));
    }

    std::unique_ptr<MessageLibrary> library_;
    StarpuStart start_;
    std::shared_ptr<Ends> ends_ = std::make_shared<Ends>();
};

}  // namespace

std::unique_ptr<Channel> make_starpu_channel(std::unique_ptr<MessageLibrary> library) {
    return std::make_unique<StarpuChannel>(std::move(library));
}

}  // namespace frond::detail

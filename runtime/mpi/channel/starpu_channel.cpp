// SPDX-License-Identifier: BSD-3-Clause
// Messages by StarPU-MPI: synchronous detached sends, so that data wait with the sender until the receiver has posted.
#include <starpu.h>
#include <starpu_mpi.h>

#include <atomic>
#include <cerrno>
#include <new>
#include <string>

#include "frond/base/error.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/record_data.hpp"
#include "mpi/channel/starpu_mpi.hpp"
#include "mpi/channel/start_channel.hpp"

namespace frond::detail {
namespace {

class StarpuChannel;

/// What a message leaves behind until it has ended.
struct UnderWay {
    StarpuChannel* channel = nullptr;
    AfterMessage after;
    count_t bytes = 0;  // of static size
    bool is_packed = false;
};

class StarpuChannel final : public Channel {
public:
    StarpuChannel(MPI_Comm communicator, ProgressThread thread) : mpi_(communicator, thread) {}
    ~StarpuChannel() override { mpi_.stop(pending() > 0); }

    index_t rank() const noexcept override { return mpi_.rank(); }
    index_t ranks() const noexcept override { return mpi_.ranks(); }

    void send(starpu_data_handle_t data, index_t rank, const MessageTag& tag, int priority,
              AfterMessage after) override {
        const std::int64_t packed_tag = tag.packed();
        UnderWay* const message = begin(data, rank, after);
        expect_posted(message, starpu_mpi_issend_detached_prio(data, rank, packed_tag, priority, mpi_.communicator(),
                                                               sent, message));
    }
    void receive(starpu_data_handle_t data, index_t rank, const MessageTag& tag, AfterMessage after) override {
        const std::int64_t packed_tag = tag.packed();
        UnderWay* const message = begin(data, rank, after);
        expect_posted(message,
                      starpu_mpi_irecv_detached(data, rank, packed_tag, mpi_.communicator(), received, message));
    }

    MessageCounts counts() const noexcept override {
        return {sent_.load(), received_.load(), sent_bytes_.load() + log_.packed_bytes.load(),
                received_bytes_.load() + log_.unpacked_bytes.load()};
    }
    count_t pending() const noexcept override { return pending_.load(std::memory_order_acquire); }

private:
    UnderWay* begin(starpu_data_handle_t data, index_t rank, AfterMessage after) {
        if (rank < 0 || rank >= ranks() || rank == this->rank())
            throw InvalidArgument("rank " + std::to_string(this->rank()) + " has no message for rank " +
                                  std::to_string(rank) + "; ranks are 0 .. " + std::to_string(ranks() - 1));
        UnderWay message{this, after, 0, log_object_messages(data, log_) || log_record_messages(data, log_)};
        if (!message.is_packed) message.bytes = static_cast<count_t>(starpu_data_get_size(data));
        if (message.bytes > most_static_bytes)
            throw InvalidArgument("a message of " + std::to_string(message.bytes) + " bytes is larger than " +
                                  std::to_string(most_static_bytes) + "; send it in parts");
        auto* const kept = new (std::nothrow) UnderWay(message);
        if (kept == nullptr) throw OutOfMemory("no memory for a message", sizeof(UnderWay));
        pending_.fetch_add(1, std::memory_order_relaxed);
        return kept;
    }
    static void expect_posted(UnderWay* message, int status) {
        if (status == 0) return;
        message->channel->pending_.fetch_sub(1, std::memory_order_relaxed);
        delete message;
        throw RuntimeError("StarPU-MPI refused a message with code " + std::to_string(status));
    }

    /// On StarPU-MPI's thread, which has packed or unpacked this message itself.
    static void sent(void* raw) {
        auto* const message = static_cast<UnderWay*>(raw);
        StarpuChannel& channel = *message->channel;
        channel.sent_.fetch_add(1);
        channel.sent_bytes_.fetch_add(message->bytes);
        channel.end(message, MessageEnd::done);
    }
    static void received(void* raw) {
        auto* const message = static_cast<UnderWay*>(raw);
        StarpuChannel& channel = *message->channel;
        channel.received_.fetch_add(1);
        channel.received_bytes_.fetch_add(message->bytes);
        // It is set as the last thing before this call: a thread that reads one message at a time.
        const int status = message->is_packed ? channel.log_.status.exchange(0) : 0;
        channel.end(message, status == 0            ? MessageEnd::done
                             : status == -ESHUTDOWN ? MessageEnd::sender_stopped
                                                    : MessageEnd::unreadable);
    }
    /// Who hears of the end may destroy the channel.
    void end(UnderWay* message, MessageEnd end) noexcept {
        const AfterMessage after = message->after;
        delete message;
        pending_.fetch_sub(1, std::memory_order_release);
        if (after.function != nullptr) after.function(after.argument, end);
    }

    StarpuMpi mpi_;
    MessageLog log_;
    std::atomic<count_t> sent_{0}, received_{0}, sent_bytes_{0}, received_bytes_{0};
    std::atomic<count_t> pending_{0};
};

}  // namespace

std::unique_ptr<Channel> start_channel(void* communicator, ProgressThread thread) {
    if (communicator == nullptr) throw InvalidArgument("a channel between ranks needs a communicator");
    return std::make_unique<StarpuChannel>(*static_cast<MPI_Comm*>(communicator), thread);
}

}  // namespace frond::detail

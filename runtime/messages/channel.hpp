// SPDX-License-Identifier: BSD-3-Clause
// The channel between ranks: data of StarPU go out and come in, each message ordered with tasks by the data that it
// reads or writes. What is behind it is in runtime/mpi/channel; one rank needs none.
#pragma once

#include <starpu.h>

#include "frond/analysis/message_tag.hpp"
#include "frond/analysis/rank_mapping.hpp"
#include "frond/base/types.hpp"
#include "ranks/message_library.hpp"

namespace frond::detail {

/// The most bytes of a message of static size (vectors, matrices); larger data are sent in parts.
constexpr count_t most_static_bytes = largest_message_bytes;

enum class MessageEnd : std::uint8_t {
    done,
    sender_stopped,  // what came is empty: an object stays as it was
    unreadable,  // the object cannot hold what came: no memory, or not what it takes
    failed  // MPI has reported an error: the contents are unknown, and nothing is sent or received any more
};

/// Called on the thread that makes messages proceed, which it must not hold up. Afterwards the message is over: its data
/// may be written or unregistered before.
struct AfterMessage {
    void (*function)(void* argument, MessageEnd end) noexcept = nullptr;
    void* argument = nullptr;
};

/// The counts of messages that have ended. Data of static size count with all their bytes, whatever came; objects with
/// the bytes packed or unpacked.
struct MessageCounts {
    count_t sent_messages = 0, received_messages = 0;
    count_t sent_bytes = 0, received_bytes = 0;
    count_t bytes_from_devices = 0;  // of the received ones: copied from devices of other processes

    bool operator==(const MessageCounts&) const = default;
};

/// send reads the data, receive writes them, both after the tasks on them that were submitted before and before those
/// submitted later. A message is received when both ranks have come to it: until then the data wait with the sender, and
/// the receiver gives no memory. Any thread may call, messages of one pair of ranks and one tag in the same order.
/// An error of MPI ends all messages of all ranks, and every later call throws RuntimeError.
class Channel {
public:
    virtual ~Channel() = default;

    virtual index_t rank() const noexcept = 0;
    virtual index_t ranks() const noexcept = 0;

    /// priority: among messages that could be sent. Data of no size (void) are received as whatever was asked for.
    /// @throws InvalidArgument another rank's number, this rank itself, data of static size above most_static_bytes;
    ///         OutOfMemory; RuntimeError
    virtual void send(starpu_data_handle_t data, index_t rank, const MessageTag& tag, int priority, AfterMessage after,
                      MessagePlace place = MessagePlace::host) = 0;
    /// The data have the size and interface of those sent, or are a vector that is larger.
    /// @throws as send
    virtual void receive(starpu_data_handle_t data, index_t rank, const MessageTag& tag, AfterMessage after,
                         MessagePlace place = MessagePlace::host) = 0;

    virtual MessageCounts counts() const noexcept = 0;
    /// Messages that were asked for and have not ended.
    virtual count_t pending() const noexcept = 0;
};

}  // namespace frond::detail

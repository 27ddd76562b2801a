// SPDX-License-Identifier: BSD-3-Clause
// How the two ends of a message find each other. The receiver says by a note that it wants it (a request); the sender
// answers as soon as it has the data, with the data in the note where they are short, else with their size and a body. So
// no byte of data leaves a rank before the other has memory for it, and its address is there before the body begins.
// Data in memory of a device are offered instead, where the receiver can read such memory: it copies them itself, and says
// so (taken), or that it could not (refused); then they come by way of the host. The plan has one of these messages of
// a tag at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "frond/gpu/process_copies.hpp"
#include "messages/thread/posted_message.hpp"
#include "ranks/wire.hpp"

namespace frond::detail {

/// All messages of a rank whose data are acquired. One thread at a time.
class Exchange {
public:
    /// Acquires the data of a message on a device or on the host (can_be_read: whether its receiver can read devices), and
    /// posts it again.
    using Place = std::function<void(PostedMessage*, bool can_be_read)>;
    /// copies: null where this rank has no devices.
    Exchange(Wire& wire, gpu::ProcessCopies* copies, Place place);

    /// Takes the message, which ends by end(). @throws as Wire, OutOfMemory
    void post(PostedMessage* message);
    /// Sends what was asked for. @throws the same
    void send_out();
    /// Does what can be done now, and says whether there was something. @throws the same, RuntimeError
    bool look();

    /// Whether another rank may have to do with a message of this one.
    bool is_waiting() const noexcept;
    /// Whether data are under way.
    bool is_moving() const noexcept { return !moving_.empty() || !copied_.empty(); }

    /// The bytes of ended messages that were copied from devices of other ranks. Any thread.
    count_t copied_bytes() const noexcept { return copied_bytes_.load(std::memory_order_relaxed); }

    /// Ends all messages, after an exception.
    void end_all() noexcept;

private:
    using Key = std::pair<index_t, std::int64_t>;  // the other rank, tag
    using Waiting = std::multimap<Key, PostedMessage*>;  // of one key in the order of their posting
    enum class Entry : std::int32_t { request, request_to_host, data, size, offer, taken, refused };  // of a note
    struct Head {
        std::int64_t tag = 0;
        Entry entry = Entry::request;
        std::int32_t bytes = 0;  // of the data
    };

    /// The first of a key, taken out; null: none.
    static PostedMessage* take_first(Waiting& waiting, const Key& key);
    void read_note(index_t source, std::span<const std::byte> note);
    void read_entry(const Key& key, const Head& head, const std::byte* enclosed);
    void request(const PostedMessage& message);
    void take_request(const Key& key);
    void take_answer(const Key& key, const std::byte* enclosed, count_t bytes);
    void send_ready();
    void send(PostedMessage* message);
    /// Room in a note for the head of an entry and so many bytes behind it, which it returns.
    std::byte* append(index_t rank, Entry entry, std::int64_t tag, count_t bytes, count_t enclosed);
    void flush(index_t rank);
    bool end_bodies();
    /// Ends the arrival of what comes to a device, and is in the host's memory.
    void end_arrival(PostedMessage* message, count_t bytes);

    // exchange_copies.cpp
    void find_source(const Key& key, PostedMessage* message);
    void answer(PostedMessage* message);
    void bring_to_host(const Key& key);
    void take_offer(const Key& key, const std::byte* enclosed);
    void end_offer(const Key& key, Entry answer);
    bool end_copies();

    Wire& wire_;
    Waiting sends_, receives_;  // not asked for yet; asked for
    std::map<Key, count_t> requests_;  // of other ranks, for what is not here yet
    std::multimap<int, PostedMessage*, std::greater<>> ready_;  // to be sent, by priority
    std::vector<std::vector<std::byte>> out_;  // for each rank: the note that is not sent yet
    std::vector<void*> ended_;
    std::set<PostedMessage*> moving_;  // with a body
    gpu::ProcessCopies* copies_;
    Place place_;
    std::set<Key> sought_;  // of messages that place_ has; one of a key at a time, as of offered_
    std::map<Key, PostedMessage*> offered_;  // to be copied by others
    std::map<PostedMessage*, count_t> copied_;  // by this rank; how many bytes from another one, or 0
    std::vector<bool> others_read_;  // [ranks] Whether that rank can read devices of this one,
    std::vector<bool> reads_others_;  // [ranks] and this one devices of that rank.
    std::atomic<count_t> copied_bytes_{0};
};

}  // namespace frond::detail

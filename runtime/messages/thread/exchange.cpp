// SPDX-License-Identifier: BSD-3-Clause
#include "messages/thread/exchange.hpp"

#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

/// So many bodies are given to MPI at one time; behind them priorities decide.
constexpr std::size_t most_bodies = 16;
/// Of what stands in a note, so that all of it is aligned.
constexpr count_t alignment = 16;

count_t aligned(count_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// The first of a key, taken out; null: none.
template <class Waiting>
PostedMessage* take_first(Waiting& waiting, const typename Waiting::key_type& key) {
    const auto first = waiting.lower_bound(key);
    if (first == waiting.end() || first->first != key) return nullptr;
    PostedMessage* const message = first->second;
    waiting.erase(first);
    return message;
}

}  // namespace

Exchange::Exchange(Wire& wire) : wire_(wire), out_(at(wire.ranks())) {}

void Exchange::post(PostedMessage* message) {
    const Key key{message->rank, message->tag};
    const bool goes_out = message->way == PostedMessage::Way::out;
    (goes_out ? sends_ : receives_).emplace(key, message);
    find_place(*message);
    if (!goes_out) {
        append(message->rank, Entry::request, message->tag, 0, 0);
        return;
    }
    const auto request = requests_.find(key);
    if (request == requests_.end()) return;
    if (--request->second == 0) requests_.erase(request);
    take_request(key);
}

bool Exchange::look() {
    bool any = false;
    index_t source = 0;
    std::span<const std::byte> note;
    while (wire_.take_note(source, note)) {
        read_note(source, note);
        any = true;
    }
    any = end_bodies() || any;
    send_out();
    return any;
}

void Exchange::send_out() {
    send_ready();
    for (index_t rank = 0; rank < wire_.ranks(); ++rank) flush(rank);
}

bool Exchange::is_waiting() const noexcept {
    return !sends_.empty() || !receives_.empty() || !ready_.empty() || !moving_.empty() || wire_.is_busy();
}

void Exchange::read_note(index_t source, std::span<const std::byte> note) {
    constexpr auto head_bytes = static_cast<count_t>(sizeof(Head));
    static_assert(head_bytes == alignment);
    const auto size = static_cast<count_t>(note.size());
    for (count_t at = 0; at + head_bytes <= size;) {
        Head head;
        std::memcpy(&head, note.data() + at, sizeof head);
        at += head_bytes;
        const Key key{source, head.tag};
        if (head.entry == Entry::request)
            take_request(key);
        else
            take_answer(key, head.entry == Entry::data ? note.data() + at : nullptr, head.bytes);
        if (head.entry == Entry::data) at += aligned(head.bytes);
    }
}

void Exchange::take_request(const Key& key) {
    PostedMessage* const message = take_first(sends_, key);
    if (message != nullptr)
        ready_.emplace(message->priority, message);
    else
        ++requests_[key];
}

/// enclosed: null where a body follows.
void Exchange::take_answer(const Key& key, const std::byte* enclosed, count_t bytes) {
    PostedMessage* const message = take_first(receives_, key);
    if (message == nullptr)
        throw RuntimeError("rank " + std::to_string(key.first) + " has sent what was not asked for, with the tag " +
                           std::to_string(key.second));
    moving_.insert(message);
    if (enclosed != nullptr) {
        read(*message, enclosed, bytes);
        moving_.erase(message);
        return end(message);
    }
    if (message->is_packed) make_place(*message, bytes);
    wire_.receive_body(message->rank, part_of(message->place, bytes), message);
}

void Exchange::send_ready() {
    while (!ready_.empty() && moving_.size() < most_bodies) {
        PostedMessage* const message = ready_.begin()->second;
        moving_.insert(message);
        ready_.erase(ready_.begin());
        send(message);
    }
}

void Exchange::send(PostedMessage* message) {
    const count_t bytes = message->place.size();
    const bool fits = aligned(bytes) + static_cast<count_t>(sizeof(Head)) <= Wire::longest_note;
    std::byte* const to =
        append(message->rank, fits ? Entry::data : Entry::size, message->tag, bytes, fits ? bytes : 0);
    if (!fits) return wire_.send_body(message->rank, message->place, message);
    write(*message, to);
    moving_.erase(message);
    end(message);
}

std::byte* Exchange::append(index_t rank, Entry entry, std::int64_t tag, count_t bytes, count_t enclosed) {
    if (bytes > std::numeric_limits<std::int32_t>::max())
        throw RuntimeError("a message of " + std::to_string(bytes) + " bytes is too large");
    const Head head{tag, entry, static_cast<std::int32_t>(bytes)};
    const std::size_t more = sizeof head + at(aligned(enclosed));
    if (out_[at(rank)].size() + more > at(Wire::longest_note)) flush(rank);
    std::vector<std::byte>& note = out_[at(rank)];
    if (note.empty()) note.reserve(at(Wire::longest_note));
    const std::size_t begin = note.size();
    note.resize(begin + more);
    std::memcpy(note.data() + begin, &head, sizeof head);
    return note.data() + begin + sizeof head;
}

void Exchange::flush(index_t rank) {
    std::vector<std::byte>& note = out_[at(rank)];
    if (!note.empty()) wire_.send_note(rank, std::exchange(note, {}));
}

bool Exchange::end_bodies() {
    ended_.clear();
    wire_.take_ended(ended_);
    for (void* const name : ended_) {
        auto* const message = static_cast<PostedMessage*>(name);
        moving_.erase(message);
        if (message->way == PostedMessage::Way::in && message->is_packed)
            read(*message, message->place.first, message->place.size());
        end(message);
    }
    return !ended_.empty();
}

void Exchange::end_all() noexcept {
    for (Waiting* const waiting : {&sends_, &receives_})
        for (const auto& [key, message] : std::exchange(*waiting, {})) end(message);
    for (const auto& [priority, message] : std::exchange(ready_, {})) end(message);
    for (PostedMessage* const message : std::exchange(moving_, {})) {
        message->packed = nullptr;  // MPI may still use it
        end(message);
    }
}

}  // namespace frond::detail

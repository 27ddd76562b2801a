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
/// The alignment of what stands in a note.
constexpr count_t alignment = 16;

count_t aligned(count_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

Exchange::Exchange(Wire& wire, gpu::ProcessCopies* copies, Place place)
    : wire_(wire),
      out_(at(wire.ranks())),
      copies_(copies),
      place_(std::move(place)),
      others_read_(at(wire.ranks()), false),
      reads_others_(at(wire.ranks()), copies != nullptr) {}

PostedMessage* Exchange::take_first(Waiting& waiting, const Key& key) {
    const auto first = waiting.lower_bound(key);
    if (first == waiting.end() || first->first != key) return nullptr;
    PostedMessage* const message = first->second;
    waiting.erase(first);
    return message;
}

void Exchange::post(PostedMessage* message) {
    if (message->is_asked_for) return answer(message);
    const Key key{message->rank, message->tag};
    const bool goes_out = message->way == PostedMessage::Way::out;
    (goes_out ? sends_ : receives_).emplace(key, message);
    find_place(*message);
    if (!goes_out) return request(*message);
    const auto request = requests_.find(key);
    if (request == requests_.end()) return;
    if (--request->second == 0) requests_.erase(request);
    take_request(key);
}

void Exchange::request(const PostedMessage& message) {
    append(message.rank, reads_others_[at(message.rank)] ? Entry::request : Entry::request_to_host, message.tag, 0, 0);
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
    any = end_copies() || any;
    send_out();
    return any;
}

void Exchange::send_out() {
    send_ready();
    for (index_t rank = 0; rank < wire_.ranks(); ++rank) flush(rank);
}

bool Exchange::is_waiting() const noexcept {
    return !sends_.empty() || !receives_.empty() || !ready_.empty() || is_moving() || !offered_.empty() ||
           !sought_.empty() || wire_.is_busy();
}

void Exchange::read_note(index_t source, std::span<const std::byte> note) {
    constexpr auto head_bytes = static_cast<count_t>(sizeof(Head));
    static_assert(head_bytes == alignment);
    const auto size = static_cast<count_t>(note.size());
    for (count_t at = 0; at + head_bytes <= size;) {
        Head head;
        std::memcpy(&head, note.data() + at, sizeof head);
        at += head_bytes;
        const bool encloses = head.entry == Entry::data || head.entry == Entry::offer;
        read_entry({source, head.tag}, head, encloses ? note.data() + at : nullptr);
        if (encloses) at += aligned(head.bytes);
    }
}

void Exchange::read_entry(const Key& key, const Head& head, const std::byte* enclosed) {
    switch (head.entry) {
        case Entry::request:
        case Entry::request_to_host:
            others_read_[at(key.first)] = head.entry == Entry::request;
            return take_request(key);
        case Entry::data:
        case Entry::size:
            return take_answer(key, enclosed, head.bytes);
        case Entry::offer:
            return take_offer(key, enclosed);
        case Entry::taken:
        case Entry::refused:
            return end_offer(key, head.entry);
    }
}

void Exchange::take_request(const Key& key) {
    PostedMessage* const message = take_first(sends_, key);
    if (message == nullptr)
        ++requests_[key];
    else if (message->node == STARPU_ACQUIRE_NO_NODE)
        find_source(key, message);
    else
        ready_.emplace(message->priority, message);
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
        return end_arrival(message, bytes);
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
        if (message->way == PostedMessage::Way::in && message->is_packed)
            read(*message, message->place.first, message->place.size());
        end_arrival(message, message->place.size());
    }
    return !ended_.empty();
}

void Exchange::end_arrival(PostedMessage* message, count_t bytes) {
    moving_.erase(message);
    if (message->way == PostedMessage::Way::out || !message->is_on_device || bytes == 0) return end(message);
    copied_[message] = 0;
    copies_->upload(message->place, message->device_place, static_cast<unsigned>(message->node), message);
}

}  // namespace frond::detail

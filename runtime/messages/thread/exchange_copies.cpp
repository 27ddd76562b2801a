// SPDX-License-Identifier: BSD-3-Clause
// Messages between devices of processes of one machine, and the end of all messages.
#include <cstring>
#include <string>

#include "frond/base/error.hpp"
#include "frond/base/vector_index.hpp"
#include "messages/thread/exchange.hpp"

namespace frond::detail {

/// What cannot be offered goes out by way of the host, as asked for.
void Exchange::offer(const Key& key, PostedMessage* message) {
    gpu::OfferedColumns offered;
    if (!reads_[at(key.first)] || !copies_->offer(message->place, message->node, offered)) {
        ++requests_[key];
        return bring_to_host_(message);
    }
    offered_.emplace(key, message);
    std::byte* const to = append(key.first, Entry::offer, key.second, sizeof offered, sizeof offered);
    std::memcpy(to, &offered, sizeof offered);
}

void Exchange::take_offer(const Key& key, const std::byte* enclosed) {
    const auto waiting = receives_.lower_bound(key);
    if (waiting == receives_.end() || waiting->first != key)
        throw RuntimeError("rank " + std::to_string(key.first) + " offers what was not asked for, with the tag " +
                           std::to_string(key.second));
    gpu::OfferedColumns offered;
    std::memcpy(&offered, enclosed, sizeof offered);
    PostedMessage* const message = waiting->second;
    const ByteColumns place =
        part_of(message->is_on_device ? message->device_place : message->place, offered.bytes * offered.columns);
    copied_[message] = true;
    if (copies_->read(key.first, offered, place, message->node, message)) {
        receives_.erase(waiting);
        return;
    }
    copied_.erase(message);
    is_read_[at(key.first)] = false;
    append(key.first, Entry::refused, key.second, 0, 0);
}

void Exchange::end_offer(const Key& key, Entry answer) {
    PostedMessage* const message = take_first(offered_, key);
    if (message == nullptr)
        throw RuntimeError("rank " + std::to_string(key.first) + " has taken what was not offered, with the tag " +
                           std::to_string(key.second));
    if (answer == Entry::taken) return end(message);
    ++requests_[key];
    bring_to_host_(message);
}

bool Exchange::end_copies() {
    if (copied_.empty()) return false;
    ended_.clear();
    copies_->take_ended(ended_);
    for (void* const name : ended_) {
        auto* const message = static_cast<PostedMessage*>(name);
        const auto copied = copied_.find(message);
        if (copied->second) append(message->rank, Entry::taken, message->tag, 0, 0);
        copied_.erase(copied);
        end(message);
    }
    return !ended_.empty();
}

void Exchange::end_all() noexcept {
    if (copies_ != nullptr) copies_->close();
    for (Waiting* const waiting : {&sends_, &receives_, &offered_})
        for (const auto& [key, message] : std::exchange(*waiting, {})) end(message);
    for (const auto& [priority, message] : std::exchange(ready_, {})) end(message);
    for (const auto& [message, is_read] : std::exchange(copied_, {})) end(message);
    for (PostedMessage* const message : std::exchange(moving_, {})) {
        message->packed = nullptr;  // MPI may still use it
        end(message);
    }
}

}  // namespace frond::detail

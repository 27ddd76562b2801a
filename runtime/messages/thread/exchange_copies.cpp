// SPDX-License-Identifier: BSD-3-Clause
// Messages between devices of processes of one machine, and the end of all messages.
#include <cstring>
#include <string>

#include "frond/base/error.hpp"
#include "frond/base/vector_index.hpp"
#include "messages/thread/exchange.hpp"

namespace frond::detail {

/// The data may be on a device. They are acquired there only now that they are asked for, so that they hold its room briefly.
void Exchange::find_source(const Key& key, PostedMessage* message) {
    if (offered_.contains(key) || !sought_.insert(key).second)
        throw RuntimeError("two tiles go to rank " + std::to_string(key.first) + " with the tag " +
                           std::to_string(key.second) + " at one time");
    message->is_asked_for = true;
    place_(message, others_read_[at(key.first)]);
}

/// Once the data are acquired on a node. What cannot be offered goes by way of the host.
void Exchange::answer(PostedMessage* message) {
    const Key key{message->rank, message->tag};
    if (!message->is_on_device) {
        ready_.emplace(message->priority, message);
        sought_.erase(key);
        return find_place(*message);
    }
    offered_.emplace(key, message);
    sought_.erase(key);
    find_place(*message);
    gpu::OfferedColumns offered;
    if (!copies_->offer(message->place, static_cast<unsigned>(message->node), offered)) return bring_to_host(key);
    std::byte* const to = append(key.first, Entry::offer, key.second, sizeof offered, sizeof offered);
    std::memcpy(to, &offered, sizeof offered);
}

void Exchange::bring_to_host(const Key& key) {
    PostedMessage* const message = offered_.at(key);
    sought_.insert(key);
    offered_.erase(key);
    leave_node(*message);
    place_(message, false);
}

void Exchange::take_offer(const Key& key, const std::byte* enclosed) {
    PostedMessage* const message = take_first(receives_, key);
    if (message == nullptr)
        throw RuntimeError("rank " + std::to_string(key.first) + " offers what was not asked for, with the tag " +
                           std::to_string(key.second));
    gpu::OfferedColumns offered;
    std::memcpy(&offered, enclosed, sizeof offered);
    const count_t bytes = offered.bytes * offered.columns;
    const auto copy = copied_.emplace(message, bytes).first;
    const ByteColumns place = part_of(message->is_on_device ? message->device_place : message->place, bytes);
    using Read = gpu::ProcessCopies::Read;
    const Read outcome = copies_->read(key.first, offered, place, static_cast<unsigned>(message->node), message);
    if (outcome == Read::begun) return;
    receives_.emplace_hint(receives_.lower_bound(key), key, message);
    copied_.erase(copy);
    if (outcome == Read::never) reads_others_[at(key.first)] = false;
    append(key.first, Entry::refused, key.second, 0, 0);
}

void Exchange::end_offer(const Key& key, Entry answer) {
    const auto offered = offered_.find(key);
    if (offered == offered_.end())
        throw RuntimeError("rank " + std::to_string(key.first) + " has taken what was not offered, with the tag " +
                           std::to_string(key.second));
    if (answer == Entry::refused) return bring_to_host(key);
    PostedMessage* const message = offered->second;
    offered_.erase(offered);
    end(message);
}

bool Exchange::end_copies() {
    if (copied_.empty()) return false;
    ended_.clear();
    copies_->take_ended(ended_);
    for (void* const name : ended_) {
        auto* const message = static_cast<PostedMessage*>(name);
        const auto copied = copied_.find(message);
        if (copied->second > 0) append(message->rank, Entry::taken, message->tag, 0, 0);
        copied_bytes_.fetch_add(copied->second, std::memory_order_relaxed);
        copied_.erase(copied);
        end(message);
    }
    return !ended_.empty();
}

void Exchange::end_all() noexcept {
    if (copies_ != nullptr) copies_->close();
    for (Waiting* const waiting : {&sends_, &receives_})
        for (const auto& [key, message] : std::exchange(*waiting, {})) end(message);
    for (const auto& [key, message] : std::exchange(offered_, {})) end(message);
    for (const auto& [priority, message] : std::exchange(ready_, {})) end(message);
    for (const auto& [message, bytes] : std::exchange(copied_, {})) end(message);
    for (PostedMessage* const message : std::exchange(moving_, {})) {
        message->packed = nullptr;  // MPI may still use it
        end(message);
    }
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "messages/drain.hpp"

#include <algorithm>

#include "messages/job_messages.hpp"

namespace frond::detail {
namespace {

DataHandle stopped_object() { return DataHandle::object_of(nullptr, stopped_operations()); }

}  // namespace

Drain::Drain(Job& job, Channel& channel, const RankPlan& plan)
    : job_(job),
      channel_(channel),
      plan_(plan),
      memory_(std::max<count_t>(largest_received_bytes(plan), 1)),
      nothing_(DataHandle::without_data()),
      stopped_(stopped_object()),
      sink_(DataHandle::vector(static_cast<unsigned char*>(memory_.data()), memory_.bytes())),
      object_sink_(stopped_object()) {}

void Drain::unit(index_t front) {
    for_each_message_of(plan_, front, [&](const Message& m, const MessageTag& tag) { message(m, tag); });
}

void Drain::message(const Message& message, const MessageTag& tag) {
    if (message.source == plan_.rank)
        send_nothing(message, tag);
    else
        discard(message, tag);
}

void Drain::send_nothing(const Message& message, const MessageTag& tag) {
    const DataHandle& data = is_packed(message.kind) ? stopped_ : nothing_;
    send_always(job_, channel_, data.get(), message.destination, tag, STARPU_DEFAULT_PRIO);
}

void Drain::discard(const Message& message, const MessageTag& tag) {
    const DataHandle& data = is_packed(message.kind) ? object_sink_ : sink_;
    receive_always(job_, channel_, data.get(), message.source, tag);
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/job.hpp"
#include "messages/channel.hpp"

namespace frond::detail {

/// Messages that a job waits for as for its tasks. It fails where one brings what cannot be read, or says that its sender
/// has stopped (StoppedElsewhere).
/// @throws as Channel
void send(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag, int priority);
/// after: what is done at the end, the last of it message_ended.
void send(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag, int priority,
          AfterMessage after, MessagePlace place = MessagePlace::host);
void message_ended(Job& job, MessageEnd end) noexcept;
void receive(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag,
             MessagePlace place = MessagePlace::host);
void receive(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag,
             AfterMessage after, MessagePlace place = MessagePlace::host);

/// For messages that other ranks wait for whatever becomes of the job, and that nothing posts later: one for which there is
/// no memory fails the job and is tried again, since tasks of a failed job give memory back.
/// @throws as Channel; OutOfMemory after a second of attempts; the other ranks then wait until the run is ended
void send_always(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag,
                 int priority);
void receive_always(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/host_block.hpp"
#include "frond/codelets/job.hpp"
#include "engine/data_handle.hpp"
#include "messages/channel.hpp"
#include "messages/rank_messages.hpp"

namespace frond::detail {

/// What a rank that has stopped still owes to the others, since a receive that StarPU-MPI has begun can never be taken
/// back: every message of the units that it does not submit. Sends are empty: no data, or of objects the header that says
/// so. Receives go into one sink after the other. They are posted in the order of the plan, in which they can be produced:
/// of all messages that have not arrived the first has a sender that waits for nobody, so the one sink blocks no rank.
/// All memory is taken at the construction, before there is an error that may be a want of memory.
class Drain {
public:
    /// The channel and what the plan refers to must outlive this, and this the job's messages.
    /// @throws std::bad_alloc
    Drain(Job& job, Channel& channel, const RankPlan& plan);

    /// Posts all messages of the front that the rank sends or receives; the job waits for them.
    /// @throws OutOfMemory, RuntimeError; then the ranks cannot end together
    void unit(index_t front);
    /// Posts one of these messages.
    void message(const Message& message, const MessageTag& tag);

private:
    void send_nothing(const Message& message, const MessageTag& tag);
    void discard(const Message& message, const MessageTag& tag);

    Job& job_;
    Channel& channel_;
    RankPlan plan_;
    HostBlock memory_;
    DataHandle nothing_, stopped_, sink_, object_sink_;
};

}  // namespace frond::detail

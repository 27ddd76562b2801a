// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>

#include "messages/channel.hpp"
#include "ranks/message_library.hpp"

namespace frond::detail {

/// Whether the thread that makes messages proceed, and polls while one is pending, is bound to the core that the session
/// has left out for it (WorkerFacts::on_ranks), or runs wherever there is room.
enum class ProgressThread : bool { free, bound };

/// What must hold on a rank before all of them start messages: StarPU runs, and no variable of the environment asks for
/// what Frond cannot work with. @throws InvalidArgument
void expect_ready_for_messages();

/// A channel by what start() starts, beside a StarPU that runs. Collective: all ranks of the communicator call it; one that
/// is refused leaves the others waiting, so they agree before that all can. While nobody sends or receives, its thread
/// sleeps. The channel must go before StarPU and before MPI_Finalize, on all ranks, with nothing pending; else StarPU-MPI
/// stays as it is, since it cannot be stopped then. Reads and sets variables of the environment for a moment: no other
/// thread may use it meanwhile.
/// @throws as expect_ready_for_messages and start()
std::unique_ptr<Channel> channel_of(const std::function<std::unique_ptr<MessageLibrary>()>& start,
                                    ProgressThread thread = ProgressThread::free);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>

#include "messages/channel.hpp"
#include "ranks/message_library.hpp"

namespace frond::detail {

/// What must hold on a rank before all of them start messages: StarPU runs, and no variable of the environment asks for
/// what Frond cannot work with. @throws InvalidArgument
void expect_ready_for_messages();

/// A channel by StarPU-MPI, which start() starts, next to a StarPU that runs: for traces, and for simulations, in which
/// only StarPU-MPI may call MPI. Collective: all ranks of the communicator call it; one that is refused leaves the
/// others waiting, so they agree before that all can. While nobody sends or receives, its thread sleeps; else it polls
/// without a rest. The channel must go before StarPU and before MPI_Finalize, on all ranks, with nothing pending; else
/// StarPU-MPI stays as it is, since it cannot be stopped then. Reads and sets variables of the environment for a
/// moment: no other thread may use it meanwhile.
/// @throws as expect_ready_for_messages and start()
std::unique_ptr<Channel> channel_of(const std::function<std::unique_ptr<MessageLibrary>()>& start);

}  // namespace frond::detail

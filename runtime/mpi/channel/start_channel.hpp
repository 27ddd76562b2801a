// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "messages/channel.hpp"

namespace frond::detail {

/// Whether the thread that makes messages proceed, and polls while one is pending, is bound to the core that the session
/// has left out for it (WorkerFacts::on_ranks), or runs wherever there is room.
enum class ProgressThread : bool { free, bound };

/// StarPU-MPI on a duplicate of *communicator (MPI_Comm*), beside a StarPU that runs. Collective: all ranks of the
/// communicator call it; one that is refused leaves the others waiting, so they agree before that all can. While nobody
/// sends or receives, its thread sleeps. The channel must go before StarPU and before MPI_Finalize, on all ranks, with
/// nothing pending; else StarPU-MPI stays as it is, since it cannot be stopped then. Reads and sets variables of the
/// environment for a moment: no other thread may use it meanwhile.
/// @pre  MPI was initialized with MPI_THREAD_MULTIPLE; the process has no StarPU-MPI yet
/// @throws InvalidArgument  that does not hold, or a variable STARPU_MPI_... asks for what Frond cannot work with
///         RuntimeError  MPI or StarPU-MPI refuses
std::unique_ptr<Channel> start_channel(void* communicator, ProgressThread thread = ProgressThread::free);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "messages/channel.hpp"

namespace frond::detail {

/// Starts, for programs that link MPI themselves, a channel on a duplicate of *communicator (MPI_Comm*). Collective.
/// While nobody sends or receives, its thread sleeps. It must go before StarPU and before MPI_Finalize, on all ranks,
/// with nothing pending.
/// @pre  MPI was initialized with MPI_THREAD_MULTIPLE
/// @throws InvalidArgument  StarPU does not run; RuntimeError  nor does MPI, or it has failed
std::unique_ptr<Channel> start_channel(void* communicator);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "session/start_messages.hpp"

namespace frond::detail {

/// For programs that link StarPU-MPI themselves: channel_of StarPU-MPI on a duplicate of *communicator (MPI_Comm*).
/// @pre  MPI was initialized with MPI_THREAD_MULTIPLE; the process has no StarPU-MPI yet
std::unique_ptr<Channel> start_channel(void* communicator, ProgressThread thread = ProgressThread::free);

}  // namespace frond::detail

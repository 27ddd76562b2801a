// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "ranks/message_library.hpp"

namespace frond::detail {

/// StarPU-MPI on a duplicate of *communicator (MPI_Comm*). Collective.
/// @pre  StarPU runs; MPI was initialized with MPI_THREAD_MULTIPLE; the process has no StarPU-MPI yet
/// @throws InvalidArgument  a condition on MPI does not hold; RuntimeError  MPI or StarPU-MPI refuses
std::unique_ptr<MessageLibrary> start_starpu_mpi(const void* communicator);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "mpi/mpi_calls.hpp"
#include "ranks/wire.hpp"

namespace frond::mpi {

/// On a duplicate of the communicator. Collective.
/// @throws InvalidArgument  MPI does not run, or with less than MPI_THREAD_MULTIPLE; RuntimeError
std::unique_ptr<detail::Wire> open_wire(MPI_Comm communicator);

}  // namespace frond::mpi

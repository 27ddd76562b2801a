// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "mpi/mpi_calls.hpp"
#include "ranks/wire.hpp"

namespace frond::mpi {

/// Some 64 KB, which each rank takes before they open it together.
std::unique_ptr<detail::Wire> make_wire();
/// A wire of make_wire(), on a duplicate of the communicator. Collective.
/// @throws InvalidArgument  MPI does not run, or with less than MPI_THREAD_MULTIPLE; RuntimeError
void open_wire(detail::Wire& wire, MPI_Comm communicator);

}  // namespace frond::mpi

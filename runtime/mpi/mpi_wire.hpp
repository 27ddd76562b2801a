// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "mpi/alarm.hpp"
#include "ranks/wire.hpp"

namespace frond::mpi {

/// Some 64 KB, which each rank takes before they open it together.
std::unique_ptr<detail::Wire> make_wire();
/// A wire of make_wire(), on a duplicate of the communicator. Collective. @throws RuntimeError
void open_wire(detail::Wire& wire, MPI_Comm communicator, std::shared_ptr<Alarm> alarm);

}  // namespace frond::mpi

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "mpi/mpi_communicator.hpp"

namespace frond::mpi {

/// See Communicator::order_graph. Collective; the messages of PT-Scotch are on this communicator.
std::vector<index_t> order_by_pt_scotch(MpiCommunicator& ranks, const detail::GraphPart& part);

}  // namespace frond::mpi

// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_communicator.hpp"
#ifdef FROND_WITH_PT_SCOTCH
#include "mpi/ordering/pt_scotch.hpp"
#endif

namespace frond::mpi {

bool MpiCommunicator::orders_graphs() const noexcept {
#ifdef FROND_WITH_PT_SCOTCH
    return true;
#else
    return false;
#endif
}

/// On a duplicate: what PT-Scotch sends mixes with nothing.
std::vector<index_t> MpiCommunicator::order_graph([[maybe_unused]] const detail::GraphPart& part) {
    expect_running();
#ifdef FROND_WITH_PT_SCOTCH
    MpiCommunicator own(comm_);
    return order_by_pt_scotch(own, part);
#else
    throw RuntimeError("libfrond_mpi was built without PT-Scotch");
#endif
}

}  // namespace frond::mpi

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

#ifdef FROND_WITH_PT_SCOTCH
namespace {

/// The ranks that have vertices; on others a communicator of none.
class RanksWithVertices {
public:
    RanksWithVertices(MPI_Comm all, int rank, bool has_vertices, Alarm& alarm) {
        alarm.check(MPI_Comm_split(all, has_vertices ? 0 : MPI_UNDEFINED, rank, &comm_), "MPI_Comm_split");
    }
    RanksWithVertices(const RanksWithVertices&) = delete;
    RanksWithVertices& operator=(const RanksWithVertices&) = delete;
    ~RanksWithVertices() {
        if (comm_ != MPI_COMM_NULL) succeeded(MPI_Comm_free(&comm_));
    }
    MPI_Comm handle() const noexcept { return comm_; }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace
#endif

/// What PT-Scotch sends mixes with nothing.
std::vector<index_t> MpiCommunicator::order_graph([[maybe_unused]] const detail::GraphPart& part) {
    expect_working();
#ifdef FROND_WITH_PT_SCOTCH
    const RanksWithVertices some(comm_, rank_, !part.weight.empty(), *alarm_);
    if (some.handle() == MPI_COMM_NULL) return {};
    MpiCommunicator own(some.handle(), alarm_);
    return order_by_pt_scotch(own, part);
#else
    throw RuntimeError("libfrond_mpi was built without PT-Scotch");
#endif
}

}  // namespace frond::mpi

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "frond/codelets/starpu_start.hpp"
#include "mpi/channel/start_channel.hpp"

namespace frond::detail {

/// StarPU-MPI between its start and its end, on a duplicate of a communicator. A process has one.
class StarpuMpi {
public:
    /// Collective. @throws as start_channel
    StarpuMpi(MPI_Comm communicator, ProgressThread thread);
    StarpuMpi(const StarpuMpi&) = delete;
    StarpuMpi& operator=(const StarpuMpi&) = delete;
    /// leave_running: messages are pending, for which StarPU-MPI would wait forever.
    void stop(bool leave_running) noexcept;

    MPI_Comm communicator() const noexcept { return own_; }
    int rank() const noexcept { return rank_; }
    int ranks() const noexcept { return ranks_; }

private:
    MPI_Comm own_ = MPI_COMM_NULL;
    int rank_ = 0, ranks_ = 1;
    StarpuStart start_;
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "frond/base/device_vendor.hpp"
#include "frond/base/types.hpp"

namespace frond {

namespace detail {
class SessionState;
}

struct SessionOptions {
    /// CPU workers; 0: one a core (StarPU's choice, STARPU_NCPU is honoured). Ignored, and said so in
    /// SessionInfo, when the application has started StarPU already.
    index_t cpu_workers = 0;
    /// GPUs to use; -1: all that StarPU and Frond can drive. Without effect where the application started
    /// StarPU.
    index_t gpus = -1;
    /// Memory that Frond and StarPU may use of each GPU; 0: what StarPU takes (nearly all of it, or
    /// STARPU_LIMIT_CUDA_MEM). What does not fit is evicted to the host. Without effect where the application
    /// started StarPU.
    count_t gpu_memory_bytes = 0;
    /// StarPU scheduler; empty: STARPU_SCHED if set, else the one that suits the workers: with GPUs dmdas.
    /// lws, ws and random cannot serve GPUs, which are then left out.
    std::string scheduler = {};
    /// Opaque communicator (MPI_Comm*) of a distributed session; nullptr: this process alone.
    void* communicator = nullptr;
};

struct SessionInfo {
    bool owns_starpu = true;  // false: the application started it; it is left as it is
    index_t cpu_workers = 0;
    index_t cuda_workers = 0;
    index_t hip_workers = 0;
    DeviceVendor gpu_vendor = DeviceVendor::none;  // whose cards this build has tasks for
    index_t gpus = 0;         // used by Frond's tasks
    std::string gpu_advice;   // why the GPUs that are there are not used; empty: they are, or there are none
    index_t mpi_ranks = 1;
    std::string scheduler;
    std::string starpu_version;
    std::string blas;         // e.g. "OpenBLAS 0.3.21"
    std::string blas_kernel;  // e.g. "SKYLAKEX"
    std::string blas_advice;  // empty, or what would make BLAS quicker on this processor
    count_t memory_total_bytes = 0;
    count_t memory_free_bytes = 0;
};

/// StarPU, started by the first session unless the application has done so, stopped with the last.
/// Idle sessions use no CPU: the workers are paused between jobs when Frond owns StarPU. An application
/// with tasks of its own starts StarPU before the first session; it is then never paused. When it calls
/// starpu_shutdown first, StarPU runs on until the last Session, Solver and Factors are gone. (One shutdown
/// too many ends it under them: they then throw RuntimeError, and a new Session starts anew. Before an
/// application starts StarPU itself once more, they must be gone.)
///
/// @throws RuntimeError  StarPU could not start.
/// @par Thread safety  a Session may be copied (cheap, shared) and used from several threads.
class Session {
public:
    explicit Session(const SessionOptions& options = {});

    SessionInfo info() const;

    /// For the layers inside Frond.
    const std::shared_ptr<detail::SessionState>& state() const noexcept { return state_; }

private:
    std::shared_ptr<detail::SessionState> state_;
};

}  // namespace frond

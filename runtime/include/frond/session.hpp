// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "frond/base/device_vendor.hpp"
#include "frond/base/types.hpp"

namespace frond {

namespace detail {
class SessionState;
class RankedSession;
struct StateAccess;
}  // namespace detail

struct SessionOptions {
    /// CPU workers; 0: STARPU_NCPU if set, else one for each core that the process may use: fewer where it has
    /// fewer (taskset, cpusets), or a quota of processor time. Of 16 cores or more the thread that submits has one.
    /// Ignored, and said so in SessionInfo, when the application has started StarPU already.
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
    /// What `frond tune` measured and kept for this kind of machine (docs/tuning.md): "automatic": the user's file, where
    /// there is one; "off": the defaults; else a file. Options and StarPU's variables come before it. The user's file is
    /// not read in a session with a communicator; what is wrong with it is said in SessionInfo::tuning_advice. Without
    /// effect where the application started StarPU.
    std::string tuning = "automatic";
    /// Pointer to an MPI_Comm (frond/mpi.h), whose ranks all make this session together: it is duplicated, and every
    /// call of a Solver of the session is then collective (docs/mpi.md). nullptr: this process alone. MPI must have been
    /// started with MPI_THREAD_MULTIPLE. cpu_workers, gpus and gpu_memory_bytes may differ from rank to rank.
    const void* communicator = nullptr;
    /// The calling thread runs all tasks by itself. StarPU never starts, sessions of this kind share nothing, and a child of
    /// fork() may have one, too. There are no GPUs then, no communicator, and one CPU worker at most, the calling thread.
    bool inline_tasks = false;
};

struct SessionInfo {
    bool owns_starpu = true;  // false: the application started it; it is left as it is
    index_t cpu_workers = 0;
    index_t cuda_workers = 0;
    index_t hip_workers = 0;
    DeviceVendor gpu_vendor = DeviceVendor::none;  // whose cards this build has tasks for
    index_t gpus = 0;  // used by Frond's tasks
    std::string gpu_advice;  // why the GPUs that are there are not used; empty: they are, or there are none
    index_t mpi_ranks = 1;
    index_t mpi_rank = 0;
    std::string mpi_library;  // of a session with a communicator, e.g. "Open MPI v4.1.4, ..."
    std::string mpi_advice;  // empty, or what would let the ranks run better
    std::string worker_binding;  // "one core each", "none: ...", or who decides (docs/clusters.md)
    std::string tuning_file;  // that the session took; empty: none
    std::string tuning;  // what it differs in from the defaults: "scheduler prio, tiles of 96 to 512"; empty: none
    std::string
        tuning_advice;  // why the file that is there was not taken, and the cure; empty: it was, or there is none
    std::string scheduler;
    std::string starpu_version;
    std::string blas;  // e.g. "OpenBLAS 0.3.21"
    std::string blas_kernel;  // e.g. "SKYLAKEX"
    std::string blas_advice;  // empty, or what would make BLAS quicker on this processor
    count_t memory_total_bytes = 0;
    count_t memory_free_bytes = 0;
};

/// StarPU, unless the application has started it, starts with the first task that is not the calling thread's, which is
/// never where all systems are small; it starts with the session where there are GPUs, a communicator or a trace, and with
/// info(). It stops with the last session.
/// Idle sessions use no CPU: the workers are paused between jobs when Frond owns StarPU. An application
/// with tasks of its own starts StarPU before the first session; it is then never paused. When it calls
/// starpu_shutdown first, StarPU runs on until the last Session, Solver and Factors are gone. (One shutdown
/// too many ends it under them: they then throw RuntimeError, and a new Session starts anew. Before an
/// application starts StarPU itself once more, they must be gone.)
///
/// All sessions of a process share this StarPU. A session that asks for something else than the one that is open
/// has, or than was asked for then, is refused; fields with their default ask for nothing. Options come before
/// StarPU's variables. StarPU's own messages are off, unless STARPU_SILENT=0 is set, and its files go to a private
/// temporary folder, which is gone when it has started (docs/clusters.md).
///
/// A task or callback of StarPU must not wait for others, so that what needs StarPU is a RuntimeError there; nothing that
/// Frond gave may be destroyed there either. A session with inline_tasks works there.
///
/// Session, Solver and Factors may be in static storage, or be destroyed by a function given to atexit().
///
/// In a child of fork() that was made while StarPU ran, nothing works that needs StarPU, since its threads
/// stayed with the parent: RuntimeError says so. What the parent made may be destroyed there.
///
/// With a communicator the constructor is collective, and what it throws is the same on all ranks. The last copy of the
/// session, and all of its solvers, must go on every rank, and before MPI_Finalize; later calls throw RuntimeError.
///
/// Cost: tenths of a millisecond; where StarPU starts, 50 ms or more, and with cards seconds the first time on a machine,
/// when the speed of copies is measured.
/// Another session costs next to nothing while one is open.
///
/// @throws InvalidArgument  a file that SessionOptions::tuning names and that cannot be taken; an option out of its
///                          range, one that the open session does not have, or that the ranks do not agree on; a
///                          variable STARPU_... that StarPU could not read.
/// @throws RuntimeError  StarPU could not start, or no folder takes its files, also by the later call that starts it; a
///                       child of fork(), as above; MPI is not started, or not with MPI_THREAD_MULTIPLE; libfrond_mpi is missing or was built with another MPI.
/// @par Thread safety  a Session may be copied (cheap, shared) and used from several threads. While StarPU
/// starts, variables of the environment are changed and put back: no other thread may read or change the environment
/// meanwhile.
class Session {
public:
    explicit Session(const SessionOptions& options = {});

    /// What the session uses; starts StarPU, which knows most of it. Cost: no task, no measurement; the memory that is free is asked of the system each time.
    /// @throws OutOfMemory
    SessionInfo info() const;

    /// Gives the memory that Frond holds without using it back to the system, also while there are factors: the free
    /// part of the heap that fronts and factors come from, pinned memory, and what the allocator of the language keeps.
    /// Returns the bytes of the first two. Frond does it unasked when the last factors of the process go, unless
    /// Solver::factor replaces them. What takes the memory again waits for the system to clear it (docs/memory.md).
    /// Cost: of the system, in proportion to the pages that go back.
    /// @par Thread safety  any number of calls, also during factorizations and solves.
    count_t give_back_memory() const;

    /// Collective: where a rank gives an error, all ranks throw that of the first such rank, with its number in the
    /// message; where none does, nothing happens. For what an application does on some ranks alone, such as reading a
    /// file. Without a communicator it throws the error. Cost: two exchanges of a number, and the text where there is one.
    void throw_on_all_ranks(std::exception_ptr error) const;
    /// Collective: the text of rank 0, on all ranks. Without a communicator the text that was given.
    std::string text_of_rank_0(const std::string& text) const;

private:
    friend struct detail::StateAccess;

    std::shared_ptr<detail::SessionState> state_;
    std::shared_ptr<detail::RankedSession> ranks_;  // null: this process alone
};

}  // namespace frond

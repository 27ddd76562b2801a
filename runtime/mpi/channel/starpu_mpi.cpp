// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/channel/starpu_mpi.hpp"

#include <starpu.h>
#include <starpu_mpi.h>

#include <atomic>
#include <string>

#include "frond/base/error.hpp"
#include "mpi/mpi_calls.hpp"
#include "session/starpu/scoped_environment.hpp"

#ifdef STARPU_NO_ASSERT
#error "this StarPU was built with --enable-fast: its StarPU-MPI ignores the errors of MPI"
#endif

namespace frond::detail {
namespace {

/// StarPU-MPI is one a process, as its state is.
std::atomic<bool>& is_started() {
    static std::atomic<bool> started{false};
    return started;
}

void expect_mpi() {
    int initialized = 0, finalized = 0, level = MPI_THREAD_SINGLE;
    mpi::check(MPI_Initialized(&initialized), "MPI_Initialized");
    mpi::check(MPI_Finalized(&finalized), "MPI_Finalized");
    if (initialized == 0 || finalized != 0)
        throw InvalidArgument(std::string("MPI ") + (finalized != 0 ? "is finalized" : "is not initialized") +
                              "; create sessions between MPI_Init_thread and MPI_Finalize");
    mpi::check(MPI_Query_thread(&level), "MPI_Query_thread");
    if (level < MPI_THREAD_MULTIPLE)
        throw InvalidArgument(std::string("MPI was initialized with ") + mpi::name_of_level(level) +
                              ", but messages need MPI_THREAD_MULTIPLE; ask MPI_Init_thread for it");
}

/// Two threads that send can change the places of a message's two parts; faked ranks receive nothing.
void expect_variables() {
    for (const char* name : {"STARPU_MPI_THREAD_MULTIPLE_SEND", "STARPU_MPI_FAKE_SIZE", "STARPU_MPI_FAKE_RANK"}) {
        const auto value = environment_value(name);
        const bool is_off = !value || value->empty() || (*value == "0" && std::string(name).ends_with("_SEND"));
        if (!is_off) throw InvalidArgument(std::string(name) + "=" + *value + ": Frond cannot work with it; unset it");
    }
}

void start(MPI_Comm communicator, ProgressThread thread) {
    ScopedEnvironment environment;
    environment.hide("STARPU_MPI_MEM_THROTTLE");  // it would block threads that submit
    environment.hide("STARPU_MPI_DRIVER_CALL_FREQUENCY");
    environment.set_default("STARPU_SILENT", "1");
    if (thread == ProgressThread::free) environment.set_default("STARPU_MPI_NOBIND", "1");
    const int status = starpu_mpi_init_comm(nullptr, nullptr, 0, communicator);
    if (status != 0) throw RuntimeError("starpu_mpi_init_comm failed with code " + std::to_string(status));
}

}  // namespace

StarpuMpi::StarpuMpi(MPI_Comm communicator, ProgressThread thread) {
    expect_mpi();
    expect_variables();
    if (!start_.is_running()) throw InvalidArgument("StarPU does not run; start the session before its messages");
    if (is_started().exchange(true))
        throw InvalidArgument("this process sends messages already; all its sessions share one communicator");
    try {
        mpi::check(MPI_Comm_dup(communicator, &own_), "MPI_Comm_dup");
        mpi::check(MPI_Comm_rank(own_, &rank_), "MPI_Comm_rank");
        mpi::check(MPI_Comm_size(own_, &ranks_), "MPI_Comm_size");
        start(own_, thread);
    } catch (...) {
        if (own_ != MPI_COMM_NULL) MPI_Comm_free(&own_);
        is_started() = false;
        throw;
    }
}

void StarpuMpi::stop(bool leave_running) noexcept {
    int finalized = 0;
    if (leave_running || !start_.is_running() || MPI_Finalized(&finalized) != MPI_SUCCESS || finalized != 0) return;
    starpu_mpi_shutdown_comm(own_);
    MPI_Comm_free(&own_);
    is_started() = false;
}

}  // namespace frond::detail

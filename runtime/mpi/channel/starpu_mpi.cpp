// SPDX-License-Identifier: BSD-3-Clause
// Part of libfrond_mpi: nothing here calls libfrond.
#include "mpi/channel/starpu_mpi.hpp"

#include <starpu.h>
#include <starpu_mpi.h>

#include <atomic>
#include <string>

#include "frond/base/error.hpp"
#include "mpi/mpi_calls.hpp"

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

class StarpuMpi final : public MessageLibrary {
public:
    explicit StarpuMpi(MPI_Comm communicator) {
        expect_mpi();
        if (is_started().exchange(true))
            throw InvalidArgument("this process sends messages already; all its sessions share one communicator");
        try {
            mpi::check(MPI_Comm_dup(communicator, &own_), "MPI_Comm_dup");
            mpi::check(MPI_Comm_rank(own_, &rank_), "MPI_Comm_rank");
            mpi::check(MPI_Comm_size(own_, &ranks_), "MPI_Comm_size");
            const int status = starpu_mpi_init_comm(nullptr, nullptr, 0, own_);
            if (status != 0) throw RuntimeError("starpu_mpi_init_comm failed with code " + std::to_string(status));
        } catch (...) {
            if (own_ != MPI_COMM_NULL) mpi::succeeded(MPI_Comm_free(&own_));
            is_started() = false;
            throw;
        }
    }

    int rank() const noexcept override { return rank_; }
    int ranks() const noexcept override { return ranks_; }
    int send(starpu_data_handle_t data, int rank, std::int64_t tag, MessagePlace, int priority, void (*done)(void*),
             void* argument) override {
        return starpu_mpi_issend_detached_prio(data, rank, tag, priority, own_, done, argument);
    }
    int receive(starpu_data_handle_t data, int rank, std::int64_t tag, MessagePlace, void (*done)(void*),
                void* argument) override {
        return starpu_mpi_irecv_detached(data, rank, tag, own_, done, argument);
    }
    void stop() noexcept override {
        int finalized = 0;
        if (MPI_Finalized(&finalized) != MPI_SUCCESS || finalized != 0) return;
        starpu_mpi_shutdown_comm(own_);
        mpi::succeeded(MPI_Comm_free(&own_));
        is_started() = false;
    }

private:
    MPI_Comm own_ = MPI_COMM_NULL;
    int rank_ = 0, ranks_ = 1;
};

}  // namespace

std::unique_ptr<MessageLibrary> start_starpu_mpi(const void* communicator) {
    return std::make_unique<StarpuMpi>(*static_cast<const MPI_Comm*>(communicator));
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// MPI for programs that are not linked with it, such as the program frond.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "frond/base/types.hpp"

namespace frond {

namespace detail {
class Communicator;
}  // namespace detail

/// The MPI that libfrond_mpi works with, which this loads.
struct MpiLibrary {
    std::string name;  // empty: there is none
    std::string advice;  // then why
};
MpiLibrary mpi_library();

/// Starts MPI in its constructor and ends it in its destructor: for a program that `mpirun` started. An application that
/// knows MPI calls MPI_Init_thread and MPI_Finalize itself.
/// If the ranks of this machine have less than two cores each, waiting ranks are told to leave their core to others
/// (OMPI_MCA_mpi_yield_when_idle=1 while MPI starts, unless it is set).
class MpiProcess {
public:
    /// @throws RuntimeError  without libfrond_mpi, with another MPI than it was built with, or one without
    ///         MPI_THREAD_MULTIPLE
    MpiProcess();
    MpiProcess(const MpiProcess&) = delete;
    MpiProcess& operator=(const MpiProcess&) = delete;
    /// Ends MPI, after the last Session and Solver.
    ~MpiProcess();

    /// The communicator of all processes, for SessionOptions::communicator.
    const void* world() const noexcept;
    index_t rank() const noexcept { return rank_; }
    index_t ranks() const noexcept { return ranks_; }
    /// As Session::throw_on_all_ranks and Session::text_of_rank_0, without a session. Collective.
    void throw_on_all_ranks(std::exception_ptr error) const;
    std::string text_of_rank_0(const std::string& text) const;
    /// A call of MPI has failed, here or on a rank that has told this one: what works after that is not known.
    bool has_failed() const noexcept;
    /// Ends all ranks at once: for errors of which the others do not know.
    void end_all(int exit_code) const noexcept;

    /// The variable of the environment by which a launcher (mpirun, srun) shows that it started this process as one of
    /// several; empty without one, or as the only one.
    static std::string launcher();

private:
    std::unique_ptr<detail::Communicator> all_;
    index_t rank_ = 0, ranks_ = 1;
};

}  // namespace frond

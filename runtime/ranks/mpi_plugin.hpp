// SPDX-License-Identifier: BSD-3-Clause
// What libfrond_mpi gives to libfrond, which loads it. Both are of one build.
#pragma once

#include <memory>
#include <string>

#include "ranks/communicator.hpp"
#include "ranks/message_library.hpp"
#include "ranks/wire.hpp"

namespace frond::detail {

/// Raised with every change of MpiPlugin or Communicator.
inline constexpr int mpi_plugin_version = 5;

class MpiPlugin {
public:
    MpiPlugin() = default;
    MpiPlugin(const MpiPlugin&) = delete;
    MpiPlugin& operator=(const MpiPlugin&) = delete;

    virtual int version() const noexcept = 0;
    /// The name of the MPI that runs: MPI_Get_library_version.
    virtual std::string library() const = 0;
    /// Empty, or why this MPI is not one that the plug-in was built with.
    virtual std::string objection() const = 0;

    /// A duplicate of the communicator behind the pointer to an MPI_Comm. Collective.
    /// @throws RuntimeError  MPI is not started, or has ended; a thread level below MPI_THREAD_MULTIPLE; InvalidArgument
    ///         an inter-communicator
    virtual std::unique_ptr<Communicator> duplicate(const void* communicator) const = 0;

    /// The memory of a wire, which open_wire() comes to before anything else.
    virtual std::unique_ptr<Wire> make_wire() const = 0;
    /// Bytes between these ranks, on a duplicate of their communicator. Collective. @throws RuntimeError
    virtual void open_wire(Wire& wire, const Communicator& ranks) const = 0;

    /// Starts StarPU-MPI on a duplicate of the communicator of these ranks; null: the plug-in was built without it.
    /// Collective. StarPU runs. @throws InvalidArgument  the process has started it already; RuntimeError
    virtual std::unique_ptr<MessageLibrary> start_starpu_mpi(const Communicator& ranks) const = 0;
    virtual bool has_starpu_mpi() const noexcept = 0;

    /// Programs that do not know MPI call these. start: MPI_Init_thread. @throws RuntimeError
    virtual void start() const = 0;
    virtual void finish() const noexcept = 0;
    virtual const void* world() const noexcept = 0;
    /// A call of MPI has failed, here or on a rank that has told this one.
    virtual bool has_failed() const noexcept = 0;
    /// Ends all ranks of the program, where MPI runs.
    virtual void abort(int exit_code) const noexcept = 0;

protected:
    ~MpiPlugin() = default;
};

/// The one function that the plug-in exports.
inline constexpr const char* mpi_plugin_symbol = "frond_mpi_plugin";
using MpiPluginFunction = const MpiPlugin* (*)();

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// StarPU-MPI as libfrond sees it, which does not link it.
#pragma once

#include <cstdint>

struct _starpu_data_state;  // behind StarPU's starpu_data_handle_t

namespace frond::detail {

/// StarPU-MPI between its start and its end, on a duplicate of a communicator. A process has one.
class MessageLibrary {
public:
    MessageLibrary() = default;
    MessageLibrary(const MessageLibrary&) = delete;
    MessageLibrary& operator=(const MessageLibrary&) = delete;
    virtual ~MessageLibrary() = default;

    virtual int rank() const noexcept = 0;
    virtual int ranks() const noexcept = 0;

    /// A synchronous send, and a receive, both detached: done(argument) is called at the end, on StarPU-MPI's thread.
    /// Return 0, or the code with which StarPU-MPI refuses.
    virtual int send(_starpu_data_state* data, int rank, std::int64_t tag, int priority, void (*done)(void*),
                     void* argument) = 0;
    virtual int receive(_starpu_data_state* data, int rank, std::int64_t tag, void (*done)(void*), void* argument) = 0;

    /// Nothing may be pending, and StarPU still runs. Without this call StarPU-MPI stays as it is.
    virtual void stop() noexcept = 0;
};

}  // namespace frond::detail

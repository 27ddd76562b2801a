// SPDX-License-Identifier: BSD-3-Clause
// What carries data of StarPU between ranks: a thread of Frond's own (messages/thread), or StarPU-MPI, which libfrond does
// not link.
#pragma once

#include <cstdint>
#include <string>

struct _starpu_data_state;  // behind StarPU's starpu_data_handle_t

namespace frond::detail {

/// Where the tasks that use the data of a message run, as far as that is known before.
enum class MessagePlace : bool { host, device };

/// Between its start and its end, on a duplicate of a communicator.
class MessageLibrary {
public:
    MessageLibrary() = default;
    MessageLibrary(const MessageLibrary&) = delete;
    MessageLibrary& operator=(const MessageLibrary&) = delete;
    virtual ~MessageLibrary() = default;

    virtual int rank() const noexcept = 0;
    virtual int ranks() const noexcept = 0;

    /// A synchronous send, and a receive, which nobody waits for: done(argument) is called at the end, on the thread that
    /// makes messages proceed. Return 0, or the code with which a message is refused, and is not begun.
    virtual int send(_starpu_data_state* data, int rank, std::int64_t tag, MessagePlace place, int priority,
                     void (*done)(void*), void* argument) = 0;
    virtual int receive(_starpu_data_state* data, int rank, std::int64_t tag, MessagePlace place, void (*done)(void*),
                        void* argument) = 0;

    /// What came from the memory of another process's device, and not by MPI.
    virtual std::int64_t bytes_from_devices() const noexcept { return 0; }

    /// Then every message has ended, whatever has become of it, and so does each that is begun.
    virtual bool has_failed() const noexcept { return false; }
    /// What MPI reported.
    virtual std::string failure() const { return {}; }

    /// Nothing may be pending, and StarPU still runs. Without this call it must not be destroyed.
    virtual void stop() noexcept = 0;
};

}  // namespace frond::detail

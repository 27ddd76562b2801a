// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/channel/start_channel.hpp"

#include <starpu.h>

#include <utility>

#include "frond/base/error.hpp"
#include "messages/starpu_channel.hpp"
#include "messages/thread/message_thread.hpp"
#include "mpi/mpi_wire.hpp"

namespace frond::detail {

std::unique_ptr<Channel> start_channel(void* communicator) {
    if (communicator == nullptr) throw InvalidArgument("a channel between ranks needs a communicator");
    if (starpu_is_initialized() == 0)
        throw InvalidArgument("StarPU does not run; start the session before its messages");
    mpi::expect_running();
    const MPI_Comm callers = *static_cast<const MPI_Comm*>(communicator);
    std::unique_ptr<Wire> wire = mpi::make_wire();
    mpi::open_wire(*wire, callers, std::make_shared<mpi::Alarm>(callers));
    return make_starpu_channel(start_message_thread(std::move(wire)));
}

}  // namespace frond::detail

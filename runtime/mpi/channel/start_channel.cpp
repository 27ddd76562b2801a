// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/channel/start_channel.hpp"

#include "frond/base/error.hpp"
#include "mpi/channel/starpu_mpi.hpp"

namespace frond::detail {

std::unique_ptr<Channel> start_channel(void* communicator, ProgressThread thread) {
    if (communicator == nullptr) throw InvalidArgument("a channel between ranks needs a communicator");
    return channel_of([&] { return start_starpu_mpi(communicator); }, thread);
}

}  // namespace frond::detail

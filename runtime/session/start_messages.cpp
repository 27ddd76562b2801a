// SPDX-License-Identifier: BSD-3-Clause
#include "session/start_messages.hpp"

#include <string>

#include "frond/base/error.hpp"
#include "frond/codelets/starpu_start.hpp"
#include "messages/starpu_channel.hpp"
#include "session/starpu/scoped_environment.hpp"

namespace frond::detail {

/// Two threads that send can exchange the order of a message's two parts; faked ranks receive nothing.
void expect_ready_for_messages() {
    for (const char* name : {"STARPU_MPI_THREAD_MULTIPLE_SEND", "STARPU_MPI_FAKE_SIZE", "STARPU_MPI_FAKE_RANK"}) {
        const auto value = environment_value(name);
        const bool is_off = !value || value->empty() || (*value == "0" && std::string(name).ends_with("_SEND"));
        if (!is_off) throw InvalidArgument(std::string(name) + "=" + *value + ": Frond cannot work with it; unset it");
    }
    if (!StarpuStart().is_running())
        throw InvalidArgument("StarPU does not run; start the session before its messages");
}

std::unique_ptr<Channel> channel_of(const std::function<std::unique_ptr<MessageLibrary>()>& start) {
    expect_ready_for_messages();
    ScopedEnvironment environment;
    environment.hide("STARPU_MPI_MEM_THROTTLE");  // it would block threads that submit
    environment.hide("STARPU_MPI_DRIVER_CALL_FREQUENCY");
    environment.set_default("STARPU_SILENT", "1");
    environment.set_default("STARPU_MPI_NOBIND", "1");
    return make_starpu_channel(start());
}

}  // namespace frond::detail

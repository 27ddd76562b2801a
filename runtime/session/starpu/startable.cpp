// SPDX-License-Identifier: BSD-3-Clause
#include "session/starpu/startable.hpp"

#include <starpu.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "frond/base/error.hpp"
#include "frond/codelets/known_scheduler.hpp"
#include "session/starpu/starpu_variables.hpp"

namespace frond::detail {
void expect_startable(const SessionOptions& options) {
    constexpr index_t most = std::min(STARPU_MAXCPUS, STARPU_NMAXWORKERS);
    if (options.cpu_workers > most)
        throw InvalidArgument("cpu_workers = " + std::to_string(options.cpu_workers) + " is more than the " +
                              std::to_string(most) + " that this StarPU was built for; give " + std::to_string(most) +
                              " at most, or build StarPU with a larger --enable-maxcpus");
    expect_starpu_variables(hidden_variables(options));
    const char* const environment = std::getenv("STARPU_SCHED");
    if (!options.scheduler.empty())
        expect_known_scheduler(options.scheduler, "scheduler");
    else if (environment != nullptr)
        expect_known_scheduler(environment, "STARPU_SCHED");
}

}  // namespace frond::detail
